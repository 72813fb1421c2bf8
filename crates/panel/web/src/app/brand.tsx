/** The sign of the product. */
export function Brand({ size = 24 }: { size?: number }) {
  return <img src="/favicon.svg" width={size} height={size} alt="" />;
}
