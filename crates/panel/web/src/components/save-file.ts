/** Hands a file over to who reads the page. The link has the bytes themselves, never a token. */
export function saveFile(bytes: Blob, name: string): void {
  const url = URL.createObjectURL(bytes);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads it once the click is over.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
