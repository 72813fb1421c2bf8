import { texts } from '../i18n/texts';

const common = texts('common');

/** The displayed name of an object type: "custom field" for `custom_field`. The API may add types. */
export function typeName(type: string): string {
  return common.find('types', type) ?? type.replaceAll('_', ' ');
}
