import { Select, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { sentence } from '../api/problem';
import type { components } from '../api/schema';
import { useWhere } from '../app/here';
import { Status } from '../components/status';
import { texts } from '../i18n/texts';
import { type Column, hasNoHeading } from './check';
import classes from './columns.module.css';
import { type Decision, type Need, SKIP } from './decisions';
import { FormatField } from './format-field';
import { tableMessage } from './messages';
import { Proposed } from './proposed';
import { CREATE, skipOptions, targetOptions } from './targets';

const t = texts('imports');

interface Props {
  at: number;
  column: Column;
  decision: Decision | undefined;
  need: Need | undefined;
  /** Whether another column has the same heading. Such columns can only be skipped. */
  isRepeated: boolean;
  /** The problem that the check reports for the column. */
  message: { code: string; message: string } | undefined;
  fields: components['schemas']['CustomField'][];
  canCreate: boolean;
  onDecide: (decision: Decision) => void;
  onCreate: () => void;
}

/** A column of the table: its heading and samples, its target, and its format. */
export function ColumnRow(props: Props) {
  const { at, column, decision, need, isRepeated, fields, canCreate, onDecide, onCreate } = props;
  const name = hasNoHeading(column, at) ? t('noHeading', { at: at + 1 }) : column.heading;
  const target = shownTarget(column, decision);
  const choose = (next: string | null) => {
    if (next === CREATE) onCreate();
    else if (next) onDecide({ target: next, format: undefined, among: undefined });
  };
  return (
    <li className={classes.column} data-need={need}>
      <div className={classes.about}>
        <div className={classes.name}>
          <b>{name}</b>
          {need && <Status tone="wait">{t('decide')}</Status>}
        </div>
        <ul className={classes.samples} aria-label={t('samples')}>
          {column.samples.map((it, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: samples can be equal
            <li key={place}>{it}</li>
          ))}
          {column.samples.length === 0 && <li>{t('noSamples')}</li>}
        </ul>
      </div>
      <div
        data-decide={need && need !== 'format' && need !== 'country' && need !== 'confirm' ? true : undefined}
      >
        <Select
          aria-label={t('importAsOf', { column: name })}
          data={isRepeated ? skipOptions() : targetOptions(fields, canCreate)}
          value={target ?? null}
          placeholder={t('chooseTarget')}
          allowDeselect={false}
          searchable
          maxDropdownHeight={320}
          onChange={choose}
        />
        {need === 'confirm' && <Proposed name={name} column={column} fields={fields} onDecide={onDecide} />}
        <Note {...props} />
      </div>
      <div data-decide={need === 'format' || need === 'country' || undefined}>
        {target && target !== SKIP && need !== 'confirm' && (
          <FormatField
            name={name}
            target={target}
            column={column}
            decision={decision}
            needsCountry={need === 'country'}
            fields={fields}
            onDecide={onDecide}
          />
        )}
      </div>
    </li>
  );
}

/** The target in the select. Empty for a column that needs a target. */
function shownTarget(column: Column, decision: Decision | undefined): string | undefined {
  if (decision?.target) return decision.target;
  if (column.state === 'skipped' || column.state === 'superseded') return SKIP;
  return column.state === 'unknown' || column.state === 'conflict' ? undefined : (column.target ?? undefined);
}

/** The note below the target: the decision that is needed, or the reason why cells or the column are not imported. */
function Note({ column, decision, need, message }: Props) {
  const others = { columns: column.other_columns.join(', ') };
  if (need === 'conflict') return <p className={classes.need}>{t('needs.conflict', others)}</p>;
  if (need === 'problem' && message) return <p className={classes.need}>{tableMessage(message)}</p>;
  if (need === 'country') return <CountryNote />;
  if (need && need !== 'confirm' && need !== 'problem') {
    return <p className={classes.need}>{t(`needs.${need}`)}</p>;
  }
  if (!decision?.target && column.state === 'superseded') {
    return <p className={classes.note}>{t('superseded', others)}</p>;
  }
  if (!decision?.target && column.state === 'skipped') {
    return <p className={classes.note}>{t('skippedBySystem')}</p>;
  }
  const [first] = column.failures;
  if (column.failing === 0 || decision?.target === SKIP) return null;
  return (
    <Text className={classes.note} component="p">
      {t('failing', { count: column.failing })}
      {first && ` ${sentence(tableMessage(first))}`}
    </Text>
  );
}

/** Asks for the country of phone numbers. Admins can also set a default country for the workspace. */
function CountryNote() {
  const { administers } = useWhere();
  return (
    <p className={classes.need}>
      {t('needs.country')}
      {administers && (
        <>
          {' '}
          {/* In another tab, because this page would lose the file. */}
          <Link to="/settings/workspace" target="_blank" className={classes.inline}>
            {t('setDefaultCountry')}
          </Link>
        </>
      )}
    </p>
  );
}
