type Field = HTMLInputElement | HTMLTextAreaElement;

/** Inputs without text, and inputs with a text that only filters a list. */
const WITHOUT_TEXT =
  'input:is([type="checkbox"], [type="radio"], [type="file"], [type="search"], [data-filter])';

/** The list with the accepted texts of a field, such as tags. */
const PILLS = '.mantine-TagsInput-pillsList, .mantine-MultiSelect-pillsList';

/** The fields of a dialog, with the text of each before the user changed it. */
export class TypedText {
  private readonly before = new Map<Field, string>();

  /** Stores the text of a field, if none is stored. */
  remember(target: EventTarget): void {
    const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    if (!isField || target.matches(WITHOUT_TEXT) || this.before.has(target)) return;
    this.before.set(target, textOf(target));
  }

  /** Whether the text of a field that is still shown has changed. */
  hasChanged(): boolean {
    return [...this.before].some(([field, text]) => field.isConnected && textOf(field) !== text);
  }

  /** Forgets the stored texts, for example after a save. */
  forget(): void {
    this.before.clear();
  }
}

function textOf(field: Field): string {
  return `${field.closest(PILLS)?.textContent ?? ''} ${field.value}`;
}
