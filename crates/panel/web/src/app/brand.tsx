/** The logo of the product, as in `public/favicon.svg`. It is part of the page, so it needs no request. */
export function Brand({ size = 24 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#4263eb" />
      <path
        d="M14 7h4v4h4v3.5h-4v6.2c0 1.3.6 1.8 1.7 1.8H22V26h-3.4C15.6 26 14 24.3 14 21.4v-6.9h-3V11h3z"
        fill="#fff"
      />
    </svg>
  );
}
