import { texts } from '../i18n/texts';

const t = texts('imports');

/** The maximum size of a table in bytes. */
export const MAX_BYTES = 5 * 1024 * 1024;

/** A chosen file. Its bytes are sent unchanged, because the server detects the encoding. */
export interface Source {
  /** Unique for each choice, also for the same file. */
  id: string;
  name: string;
  bytes: ArrayBuffer;
}

/** Reads a file. Rejects with a message if the file cannot be a text table. */
export async function readSource(file: File): Promise<Source> {
  if (file.size > MAX_BYTES) throw new Error(t('tooLarge'));
  if (file.size === 0) throw new Error(t('emptyFile'));
  const bytes = await file.arrayBuffer();
  if (isWorkbook(new Uint8Array(bytes))) throw new Error(t('workbook'));
  return { id: crypto.randomUUID(), name: file.name, bytes };
}

/** The first bytes of ZIP archives (`.xlsx`, `.ods`, `.numbers`) and of OLE files (`.xls`). */
const WORKBOOKS = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

function isWorkbook(bytes: Uint8Array): boolean {
  return WORKBOOKS.some((first) => first.every((byte, at) => bytes[at] === byte));
}
