/** The texts of a group: text by key, nested as deep as needed. */
export interface Tree {
  readonly [key: string]: string | Tree;
}

/** The shape of a group in another language: the same keys, with other texts. */
export type Translation<T> = { readonly [K in keyof T]: T[K] extends string ? string : Translation<T[K]> };

/** The forms that `Intl.PluralRules` has, as i18next writes them after the key. */
type Form = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other';

/** The names in `{{…}}` of a text. */
type Names<S extends string> = S extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | Names<Rest>
  : never;

/** `unread` for `unread_one` and `unread_other`. A key without the form `other` has no plural. */
type Base<K extends string, T> = K extends `${infer B}_${Form}` ? (`${B}_other` extends keyof T ? B : K) : K;

/** Pairs of a key such as `views.open` and the names of its parameters. A plural always has `count`. */
type Entries<T, Path extends string = ''> = {
  [K in keyof T & string]: T[K] extends string
    ? [`${Path}${Base<K, T>}`, Names<T[K]> | (Base<K, T> extends K ? never : 'count')]
    : Entries<T[K], `${Path}${K}.`>;
}[keyof T & string];

/** The names of the parameters by key. */
type Flat<E extends [string, string]> = { [It in E as It[0]]: It[1] };
export type Keys<T> = Flat<Extract<Entries<T>, [string, string]>>;

/** The keys of a group, and the common keys that the group lacks. */
export type Shared<Own, Common> = Own & { [K in keyof Common as Exclude<K, keyof Own>]: Common[K] };

/** The parameters of a text. Numbers are formatted by the language; a count must be a number. */
export type Params<Name, Value = string | number> = {
  [N in Name & string]: N extends 'count' ? number : Value;
};

/** Keys above others, such as `views` for `views.open`. */
type Above<K, Path extends string = ''> = K extends `${infer Head}.${infer Rest}`
  ? `${Path}${Head}` | Above<Rest, `${Path}${Head}.`>
  : never;

/** The names of all parameters below a key. */
type NamesBelow<F, P extends string> = { [K in keyof F]: K extends `${P}.${string}` ? F[K] : never }[keyof F];

/** Returns the texts of a group in the current language. `F` has the names of the parameters by key. */
export interface Texts<F> {
  /** The text of a key. A missing or unknown parameter does not compile. */
  <K extends keyof F & string>(key: K, ...params: [F[K]] extends [never] ? [] : [Params<F[K]>]): string;
  /**
   * The text of a value that the API may extend, such as a status or reason. `undefined` if there is none. It accepts
   * the parameters of all texts below `above`.
   */
  find<P extends Above<keyof F>>(
    above: P,
    value: string | null | undefined,
    ...params: [NamesBelow<F, P>] extends [never] ? [] : [Params<NamesBelow<F, P>>]
  ): string | undefined;
  /** The text with elements as parameters, such as a link within a sentence. */
  rich<K extends keyof F & string>(key: K, params: Params<F[K], React.ReactNode>): React.ReactNode;
}
