import { texts } from './texts';

const t = texts('flow-editor');

/** The name of a node type, as the editor shows it. */
export function nodeTypeName(type: string): string {
  return t.find('nodes', `${type}.title`) ?? type.replaceAll('_', ' ');
}
