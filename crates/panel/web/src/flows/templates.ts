import nurture from './templates/nurture.json';
import optIn from './templates/opt-in.json';
import support from './templates/support.json';
import vip from './templates/vip.json';
import welcome from './templates/welcome.json';

/** A template for a new flow. A test compares the templates with the documentation. */
export interface Template {
  key: 'welcome' | 'opt-in' | 'support' | 'nurture' | 'vip';
  name: string;
  definition: object;
}

export const TEMPLATES: Template[] = [
  { key: 'welcome', ...welcome },
  { key: 'opt-in', ...optIn },
  { key: 'support', ...support },
  { key: 'nurture', ...nurture },
  { key: 'vip', ...vip },
];
