type Field = HTMLInputElement | HTMLTextAreaElement;

/** Inputs without text, and those whose text only filters a list. */
const WITHOUT_TEXT =
  'input:is([type="checkbox"], [type="radio"], [type="file"], [type="search"], [data-filter])';

/** The list with the texts that a field already took, such as tags. */
const PILLS = '.mantine-TagsInput-pillsList, .mantine-MultiSelect-pillsList';

/** The fields of a dialog, with the text that each one had before the user changed it. */
export class TypedText {
  private readonly before = new Map<Field, string>();

  /** Remembers the text of a field; the first text counts. */
  remember(target: EventTarget): void {
    const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    if (!isField || target.matches(WITHOUT_TEXT) || this.before.has(target)) return;
    this.before.set(target, textOf(target));
  }

  /** Whether a field that is still shown has another text than before. */
  hasChanged(): boolean {
    return [...this.before].some(([field, text]) => field.isConnected && textOf(field) !== text);
  }

  /** Accepts the present texts, for example after they were saved. */
  forget(): void {
    this.before.clear();
  }
}

function textOf(field: Field): string {
  return `${field.closest(PILLS)?.textContent ?? ''} ${field.value}`;
}
