/** Those whose name has all words of a text, or whose id it is, in the state that is asked for. */
export function matching<It extends { id: string; name: string; status: string }>(
  all: It[],
  text: string,
  status: string | undefined,
): It[] {
  const wanted = text.trim().toLowerCase().split(/\s+/);
  return all.filter(
    (it) =>
      (status === undefined || it.status === status) &&
      wanted.every((word) => it.name.toLowerCase().includes(word) || it.id.startsWith(word)),
  );
}
