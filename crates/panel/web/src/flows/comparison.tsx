import { Title } from '@mantine/core';
import { useMemo } from 'react';
import { Choice } from '../components/choice';
import { texts } from '../i18n/texts';
import { AttributeWords } from './attribute-words';
import { useNames } from './build/use-names';
import { compared } from './compared';
import { type Side, valueInWords } from './compared-value';
import { asDefinition } from './definition';
import { type Change, differenceOf, isSame, type Named } from './difference';
import type { Names } from './graph/summary';
import { labelsOf, type NodeLabels } from './node-labels';
import { NodeName } from './node-name';
import type { FlowSearch } from './search';
import classes from './versions.module.css';
import type { FlowVersion } from './versions-api';

const t = texts('flow-runs');

interface Props {
  versions: FlowVersion[];
  draft: unknown;
  unpublished: boolean;
  version: number | undefined;
  against: number | undefined;
  show: (next: FlowSearch) => void;
}

interface Sides {
  was: Side;
  is: Side;
}

/** The name of a version. `0` is the draft. */
function nameOf(number: number): string {
  return number === 0 ? t('versions.draft') : t('versions.number', { number: String(number) });
}

/** Compares two versions. `0` is the draft. */
export function Comparison({ versions, draft, unpublished, version, against, show }: Props) {
  const numbers = versions.map((it) => it.number);
  const [is, was] = compared(numbers, unpublished, version, against);
  const definitionOf = (number: number) =>
    number === 0 ? draft : versions.find((it) => it.number === number)?.definition;
  const [before, after] = [definitionOf(was), definitionOf(is)];
  const found = useMemo(() => differenceOf(before, after), [before, after]);
  const names = useNames();
  const sides = useMemo(() => sidesOf(before, after, names), [before, after, names]);
  const options = [0, ...numbers].map((it) => ({ value: String(it), label: nameOf(it) }));
  return (
    <section className={classes.comparison} aria-labelledby="comparison">
      <Title order={2} id="comparison">
        {t('versions.comparison')}
      </Title>
      <div className={classes.choices}>
        <Choice
          label={t('versions.compare')}
          width={160}
          required
          options={options}
          value={String(is)}
          onChange={(it) => show({ version: Number(it), against: was })}
        />
        <Choice
          label={t('versions.against')}
          width={160}
          required
          options={options}
          value={String(was)}
          onChange={(it) => show({ version: is, against: Number(it) })}
        />
      </div>
      {isSame(found) && <p className="dimmed">{found.moved ? t('versions.moved') : t('versions.same')}</p>}
      <Nodes sign="+" label={t('versions.added')} nodes={found.added} labels={sides.is.labels} />
      <Nodes sign="−" label={t('versions.removed')} nodes={found.removed} labels={sides.was.labels} />
      {found.changed.map((node) => (
        <Changed key={node.id} label={t('changed')} node={node} changes={node.changes} sides={sides} />
      ))}
      {found.rest.length > 0 && <Changed label={t('versions.rest')} changes={found.rest} sides={sides} />}
    </section>
  );
}

function sidesOf(before: unknown, after: unknown, names: Names): Sides {
  const [was, is] = [asDefinition(before), asDefinition(after)];
  const [old, current] = labelsOf(was, is, names);
  return { was: { definition: was, labels: old, names }, is: { definition: is, labels: current, names } };
}

interface NodesProps {
  sign: string;
  label: string;
  nodes: Named[];
  labels: NodeLabels;
}

function Nodes({ sign, label, nodes, labels }: NodesProps) {
  return nodes.map((it) => (
    <div key={it.id} className={classes.node} data-sign={sign}>
      <span className={classes.sign} aria-hidden>
        {sign}
      </span>
      <span>
        {label} <NodeName id={it.id} type={it.type} labels={labels} />
      </span>
    </div>
  ));
}

interface ChangedProps {
  label: string;
  node?: Named;
  changes: Change[];
  sides: Sides;
}

function Changed({ label, node, changes, sides }: ChangedProps) {
  return (
    <div className={classes.changed}>
      <div className={classes.node}>
        <span className={classes.sign} aria-hidden>
          ~
        </span>
        <span>
          {label} {node && <NodeName id={node.id} type={node.type} labels={sides.is.labels} />}
        </span>
      </div>
      <dl className={classes.changes}>
        {changes.map((it) => (
          <div key={it.attribute}>
            <dt title={it.attribute}>
              <AttributeWords attribute={it.attribute} type={node?.type} />
            </dt>
            <dd>
              <Value tone="was" change={it} node={node?.id} side={sides.was} />
              <Value tone="is" change={it} node={node?.id} side={sides.is} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

interface ValueProps {
  tone: 'was' | 'is';
  change: Change;
  node: string | undefined;
  side: Side;
}

function Value({ tone, change, node, side }: ValueProps) {
  const value = change[tone];
  const Tag = tone === 'was' ? 'del' : 'ins';
  return (
    <Tag className={classes.value} data-absent={value === undefined || undefined}>
      {valueInWords(value, change.attribute, node, side)}
    </Tag>
  );
}
