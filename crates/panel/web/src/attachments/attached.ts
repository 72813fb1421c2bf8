import type { components } from '../api/schema';
import type { Attachment } from '../inbox/files/media';
import type { Media } from '../inbox/files/upload';

/** An attachment of a message that is sent later: an uploaded file, or a URL. */
export type Attached = components['schemas']['Attachment'];

/** The attachment for an uploaded file. */
export const ofFile = ({ id, name, mime_type }: Media): Attached => ({ media_id: id, name, mime_type });

/** The attachment as in a message, to show it. */
export function shownOf({ media_id, url, name, mime_type }: Attached): Attachment {
  return {
    ...(media_id && { media_id }),
    url: url ?? '',
    name: name ?? null,
    mime_type: mime_type ?? null,
  };
}
