import { Fragment } from 'react';
import { pathOf } from './attribute-path';

/** The labels of an attribute and of those around it. `type` is the type of the node, if the attribute is in one. */
export function AttributeWords({ attribute, type }: { attribute: string; type: string | undefined }) {
  return pathOf(attribute, type).map(({ text, isName }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts are identified by their order
    <Fragment key={at}>
      {at > 0 && ' › '}
      {isName ? <code>{text}</code> : text}
    </Fragment>
  ));
}
