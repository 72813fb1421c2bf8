export { default as common } from './common';
export { flowForms } from './flow-forms';
export { forms } from './forms';
