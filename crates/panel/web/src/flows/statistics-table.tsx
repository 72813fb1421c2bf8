import { useMemo } from 'react';
import { type Column, DataTable } from '../components/table';
import { number } from '../i18n/format';
import { texts } from '../i18n/texts';
import type { Definition } from './definition';
import { exitInWords, exitsOf } from './graph/exits';
import type { Names } from './graph/summary';
import { labelsOf, type NodeLabels } from './node-labels';
import { NodeName } from './node-name';
import { elsewhere, lasting, leftOf, type NodeStatistics, percent } from './statistics';
import classes from './statistics.module.css';

const t = texts('flow-statistics');

interface Props {
  definition: Definition;
  nodes: NodeStatistics[];
  chosen: string | undefined;
  onChoose: (node: string) => void;
  names: Names;
}

interface Row extends NodeStatistics {
  /** The labels of the nodes in the version. */
  labels: NodeLabels;
  exits: { name: string; label: string; count: number; share: number }[];
}

/** The numbers of the canvas as a table, including nodes of other versions. */
export function StatisticsTable({ definition, nodes, chosen, onChoose, names }: Props) {
  const rows = useMemo(() => rowsOf(definition, nodes, names), [definition, nodes, names]);
  const others = useMemo(() => elsewhere(definition, nodes), [definition, nodes]);
  return (
    <>
      <DataTable
        label={t('table')}
        columns={columns()}
        rows={rows}
        rowKey={(it) => it.id}
        openKey={chosen}
        onOpen={(it) => onChoose(it.id)}
      />
      {others.length > 0 && <p className={classes.note}>{t('others', { count: others.length })}</p>}
    </>
  );
}

/** The rows in the order of the definition. */
function rowsOf(definition: Definition, nodes: NodeStatistics[], names: Names): Row[] {
  const counted = new Map(nodes.map((it) => [it.id, it]));
  const [labels] = labelsOf(definition, { nodes: [] }, names);
  const drawn = definition.nodes.flatMap((node) => {
    const it = counted.get(node.id);
    if (!it) return [];
    const exits = new Map(exitsOf(node).map(({ name, label }) => [name, label]));
    return [{ ...it, labels, exits: exitsIn(it, exits) }];
  });
  const others = elsewhere(definition, nodes).map((it) => ({
    ...it,
    labels,
    exits: exitsIn(it, new Map()),
  }));
  return [...drawn, ...others];
}

function exitsIn({ left }: NodeStatistics, labels: ReadonlyMap<string, string>) {
  const all = leftOf(left);
  return Object.entries(left).map(([name, count]) => ({
    name,
    label: labels.get(name) || exitInWords(name),
    count,
    share: all > 0 ? count / all : 0,
  }));
}

const columns = (): Column<Row>[] => [
  {
    key: 'node',
    header: t('node'),
    render: (row) => (
      <span className={classes.node}>
        <NodeName id={row.id} labels={row.labels} unknown={t('otherVersion')} short />
      </span>
    ),
  },
  { key: 'entered', header: t('entered'), align: 'end', render: (row) => number(row.entered) },
  {
    key: 'left',
    header: t('left'),
    isWide: true,
    render: (row) =>
      row.exits.length === 0 ? (
        <span className="dimmed">–</span>
      ) : (
        <ul className={classes.exits}>
          {row.exits.map((it) => (
            <li key={it.name}>
              {it.label} <b>{number(it.count)}</b> <span className="dimmed">{percent(it.share)}</span>
            </li>
          ))}
        </ul>
      ),
  },
  {
    key: 'failed',
    header: t('failed'),
    align: 'end',
    render: (row) => <span data-bad={row.failed > 0 || undefined}>{number(row.failed)}</span>,
  },
  { key: 'waiting', header: t('waiting'), align: 'end', render: (row) => number(row.waiting) },
  {
    key: 'median',
    header: t('median'),
    align: 'end',
    render: (row) => (row.median_seconds === null ? '–' : lasting(row.median_seconds)),
  },
];
