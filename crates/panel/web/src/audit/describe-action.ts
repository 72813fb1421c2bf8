import { texts } from '../i18n/texts';

const t = texts('audit');

/** Describes an action or a type: `api_key.role_changed` becomes "API key: role changed". */
export function describeAction(action: string): string {
  const [object = '', verb] = action.split('.');
  const type = t.find('types', object) ?? plain(object);
  return verb === undefined ? type : t('actionOf', { type, verb: t.find('verbs', verb) ?? plain(verb) });
}

/** The name of an attribute, or the API's name for attributes without a text, such as custom fields. */
export function attributeName(name: string): string {
  return t.find('attributeNames', name) ?? name;
}

const plain = (it: string) => it.replaceAll('_', ' ');
