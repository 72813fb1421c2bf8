// Each marked line is an error for tsc. A marked line without an error fails the check.
import { type Contact, type Event, Tidings, verify } from 'tidings-client';

export function wrong(tidings: Tidings, event: Event) {
  // @ts-expect-error
  tidings.contacts.create({ first_nam: 'Lin' });
  // @ts-expect-error
  tidings.contacts.list({ tags: ['vip'] });
  // @ts-expect-error
  tidings.contacts.patch('lin', {}, { ifVersion: '3' });
  // @ts-expect-error
  tidings.tags.list(undefined, { ifVersion: 3 });
  // @ts-expect-error
  verify('', {}, '').kind;
  if (event.type === 'contact.tag_added') {
    const name: string = event.data.tag.name;
    // @ts-expect-error
    return [name, event.data.field];
  }
  // @ts-expect-error
  return (contact: Contact) => contact.emial;
}
