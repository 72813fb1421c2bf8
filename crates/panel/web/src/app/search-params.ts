/** A non-empty text parameter of the address. */
export const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** A day in the address, such as `2026-01-31`. */
export const day = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;

/** The value in the address, if it is one of `values`. */
export const oneOf = <Value extends string>(values: readonly Value[], value: unknown) =>
  values.find((it) => it === value);
