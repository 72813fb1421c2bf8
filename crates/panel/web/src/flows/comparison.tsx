import { Title } from '@mantine/core';
import { Fragment, useMemo } from 'react';
import { Choice } from '../components/choice';
import { nodeTypeName } from '../i18n/node-types';
import { texts } from '../i18n/texts';
import { pathOf } from './attribute-path';
import { compared } from './compared';
import { type Change, differenceOf, isSame, type Named } from './difference';
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
      <Nodes sign="+" label={t('versions.added')} nodes={found.added} />
      <Nodes sign="−" label={t('versions.removed')} nodes={found.removed} />
      {found.changed.map((node) => (
        <Changed key={node.id} label={t('changed')} node={node} changes={node.changes} />
      ))}
      {found.rest.length > 0 && <Changed label={t('versions.rest')} changes={found.rest} />}
    </section>
  );
}

function Nodes({ sign, label, nodes }: { sign: string; label: string; nodes: Named[] }) {
  return nodes.map((it) => (
    <div key={it.id} className={classes.node} data-sign={sign}>
      <span className={classes.sign} aria-hidden>
        {sign}
      </span>
      <span>
        {label} <code>{it.id}</code> <span className="dimmed">{nodeTypeName(it.type)}</span>
      </span>
    </div>
  ));
}

function Changed({ label, node, changes }: { label: string; node?: Named; changes: Change[] }) {
  return (
    <div className={classes.changed}>
      <div className={classes.node}>
        <span className={classes.sign} aria-hidden>
          ~
        </span>
        <span>
          {label}{' '}
          {node && (
            <>
              <code>{node.id}</code> <span className="dimmed">{nodeTypeName(node.type)}</span>
            </>
          )}
        </span>
      </div>
      <dl className={classes.changes}>
        {changes.map((it) => (
          <div key={it.attribute}>
            <dt title={it.attribute}>
              <Path attribute={it.attribute} type={node?.type} />
            </dt>
            <dd>
              <Value tone="was" value={it.was} />
              <Value tone="is" value={it.is} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** The labels of an attribute and of those around it. */
function Path({ attribute, type }: { attribute: string; type: string | undefined }) {
  return pathOf(attribute, type).map(({ text, isName }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts are identified by their order
    <Fragment key={at}>
      {at > 0 && ' › '}
      {isName ? <code>{text}</code> : text}
    </Fragment>
  ));
}

function Value({ tone, value }: { tone: 'was' | 'is'; value: unknown }) {
  const text = value === undefined ? t('versions.absent') : shown(value);
  const Tag = tone === 'was' ? 'del' : 'ins';
  return (
    <Tag className={classes.value} data-absent={value === undefined || undefined}>
      {text}
    </Tag>
  );
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
