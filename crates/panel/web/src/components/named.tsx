/** The name of an object in one line. The tooltip contains the full name. */
export function Named({ text }: { text: string }) {
  return (
    <span className="named one-line" title={text}>
      {text}
    </span>
  );
}
