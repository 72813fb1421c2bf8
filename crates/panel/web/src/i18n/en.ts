/**
 * Every text of the panel. Another language is another module of this shape. `en` is a namespace, not an object:
 * the build puts the texts of a page into the file of that page, and the first load does not contain them.
 */
export * as en from './en/index';
