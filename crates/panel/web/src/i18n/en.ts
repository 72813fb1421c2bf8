/**
 * The groups that are not converted yet, in English only. `README.md` says how to convert one. `en` is a namespace,
 * not an object: the build puts the texts of a page into the file of that page.
 */
export * as en from './en/index';
