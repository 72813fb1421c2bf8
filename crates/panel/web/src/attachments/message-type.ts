import type { components } from '../api/schema';
import type { Attached } from './attached';

type MessageType = components['schemas']['MessageType'];

const KINDS = ['image', 'audio', 'video'] as const;

/** The type of a message with files of these media types. Files of several kinds are sent as files. */
export function typeOf(mimeTypes: string[]): MessageType {
  if (mimeTypes.length === 0) return 'text';
  return KINDS.find((kind) => mimeTypes.every((it) => it.startsWith(`${kind}/`))) ?? 'file';
}

/** The type of a message of type `before` after its files changed. A type that can contain all of them stays. */
export function typeWith(before: MessageType, files: Attached[]): MessageType {
  const kind = KINDS.find((it) => it === before);
  if (!kind && before !== 'text' && before !== 'file') return before;
  if (files.length === 0) return 'text';
  if (before === 'file') return before;
  // The media type of a file at a URL is unknown.
  if (kind && files.every(({ mime_type }) => !mime_type || mime_type.startsWith(`${kind}/`))) return kind;
  return typeOf(files.map(({ mime_type }) => mime_type ?? ''));
}
