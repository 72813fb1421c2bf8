import type { Contact } from './api';
import classes from './tag-pills.module.css';

/** The first tags of a contact and the number of the others. */
export function TagPills({ tags, most = 2 }: { tags: Contact['tags']; most?: number }) {
  const more = tags.length - most;
  return (
    <span className={classes.tags} title={tags.map((it) => it.name).join(', ') || undefined}>
      {tags.slice(0, most).map((tag) => (
        <span key={tag.id} className={classes.tag}>
          {tag.name}
        </span>
      ))}
      {more > 0 && <span className="dimmed">+{more}</span>}
    </span>
  );
}
