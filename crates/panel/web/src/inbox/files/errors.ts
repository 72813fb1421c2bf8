import { Problem } from '../../api/problem';
import { told } from '../../components/failure';
import { texts } from '../../i18n/texts';

const t = texts('inbox');

/** Describes why a file was not uploaded or sent. */
export function fileError(error: unknown): string {
  return knownFileError(error) ?? told(error);
}

/** Describes an error that concerns the files of a message. `undefined` for all other errors. */
export function knownFileError(error: unknown): string | undefined {
  if (!(error instanceof Problem)) return undefined;
  const isDeleted = error.faults.some((it) => it.code === 'unknown_media');
  return t.find('files.errors', isDeleted ? 'unknown_media' : error.code);
}
