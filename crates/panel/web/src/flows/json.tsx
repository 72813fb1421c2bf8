import { Button, Textarea } from '@mantine/core';
import { useRef } from 'react';
import { Problem } from '../api/problem';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import { Code } from '../components/code';
import { Failure } from '../components/states';
import { SaveBar } from '../forms/versioned';
import { texts } from '../i18n/texts';
import { useFlow, useSaveFlow, type Versioned } from './api';
import { useNames } from './build/use-names';
import { labelsOfDraft, type Told } from './finding';
import classes from './json.module.css';
import { JsonFindings } from './json-findings';
import { lineOf, locate } from './locate';
import { useValidation } from './validation';
import { read as readText, type Typed, written } from './written';

const t = texts('flows');
const drafts = texts('drafts');

interface Props {
  read: Versioned;
  typed: Typed<Versioned> | undefined;
  setTyped: (typed: Typed<Versioned> | undefined) => void;
}

/** The draft as JSON. It is validated while the user types and saved on request. */
export function JsonPart({ read, typed, setTyped }: Props) {
  const { role } = useWhere();
  if (mayWrite(role)) return <Editor read={read} typed={typed} setTyped={setTyped} />;
  return <Code text={written(read.flow.definition)} what={t('definition')} />;
}

function Editor({ read, typed, setTyped }: Props) {
  const { workspace } = useWhere();
  const area = useRef<HTMLTextAreaElement>(null);
  const { flow } = read;
  const latest = useFlow(workspace.id, flow.id);
  const save = useSaveFlow(workspace.id, flow.id);
  const shown = written(flow.definition);
  const text = typed?.text ?? shown;
  const meant = readText(text, { noObject: t('noObject'), notJson: (reason) => t('notJson', { reason }) });
  const definition = 'definition' in meant ? meant.definition : undefined;
  const names = useNames();
  const labels = labelsOfDraft(definition, names);
  const validation = useValidation(workspace.id, flow.id, definition, labels);
  const conflict = save.error instanceof Problem && save.error.status === 412;

  const type = (next: string) => {
    if (!conflict) save.reset();
    setTyped(next === shown ? undefined : { text: next, base: typed?.base ?? read });
  };
  const discard = () => {
    save.reset();
    setTyped(undefined);
  };
  const send = (on: Versioned) =>
    definition &&
    save.mutate(
      { body: { definition: definition as never }, etag: on.etag },
      { onSuccess: () => setTyped(undefined), onError: () => void latest.refetch() },
    );
  const goTo = (finding: Told) => {
    const { from, to } = locate(text, finding.pointer);
    const box = area.current;
    if (!box) return;
    box.focus();
    box.setSelectionRange(from, to);
    const line = box.scrollHeight / Math.max(1, text.split('\n').length);
    box.scrollTop = Math.max(0, (lineOf(text, from) - 4) * line);
  };
  return (
    <div className={classes.columns}>
      <div className={classes.editor}>
        <Textarea
          ref={area}
          aria-label={t('definition')}
          classNames={{ input: classes.text }}
          spellCheck={false}
          autoCapitalize="off"
          autoCorrect="off"
          value={text}
          error={'fault' in meant ? meant.fault : undefined}
          onChange={(event) => type(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            if (typed) send(typed.base);
          }}
        />
        {typed && (
          <SaveBar text={conflict ? t('conflictDraft') : t('unsaved')}>
            <Button variant="default" onClick={discard}>
              {conflict ? drafts('takeTheirs') : t('discard')}
            </Button>
            <Button
              loading={save.isPending}
              disabled={definition === undefined}
              onClick={() => send(conflict ? read : typed.base)}
            >
              {conflict ? drafts('saveMine') : t('saveDraft')}
            </Button>
          </SaveBar>
        )}
        {save.error && !conflict && <Failure error={save.error} />}
      </div>
      <JsonFindings validation={validation} definition={definition} labels={labels} onOpen={goTo} />
    </div>
  );
}
