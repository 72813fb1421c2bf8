export { default as common } from './common';
export { forms } from './forms';
