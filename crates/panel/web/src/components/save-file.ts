/** Downloads bytes as a file. The link contains the bytes and never a token. */
export function saveFile(bytes: Blob, name: string): void {
  const url = URL.createObjectURL(bytes);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.rel = 'noopener';
  link.click();
  // The browser reads the link after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
