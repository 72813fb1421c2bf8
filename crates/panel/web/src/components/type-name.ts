import { texts } from '../i18n/texts';

const common = texts('common');

/** The name of a type of object for users: "custom field" for `custom_field`. The API may add types. */
export function typeName(type: string): string {
  return common.find('types', type) ?? type.replaceAll('_', ' ');
}
