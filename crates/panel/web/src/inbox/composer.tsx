import { Button, SegmentedControl, TagsInput, Textarea } from '@mantine/core';
import { IconListDetails, IconTemplate } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { faultsByField, Unreachable } from '../api/problem';
import { useWhere } from '../app/here';
import { mayWrite } from '../app/places';
import type { Attached } from '../attachments/attached';
import { Failure } from '../components/states';
import { SubmitForm } from '../components/submit-form';
import { texts } from '../i18n/texts';
import { hasTemplates } from '../provider-templates/api';
import { FallbackFields } from '../provider-templates/fallback';
import type { Channel } from './api';
import classes from './composer.module.css';
import { drafts, filesOfReply, messageOf, useDraft } from './drafts';
import { knownFileError } from './files/errors';
import { AttachButton, PickedFiles } from './files/picked';
import { useFileZone } from './files/use-file-zone';
import { MAX_FILES, usePicked } from './files/use-picked';
import { useWrite } from './messages-api';
import { Quoted } from './quoted';
import { SavedReplies } from './replies';
import { ReplyWindow } from './reply-window';
import { Segments } from './segments';
import type { Conversation } from './views';

const t = texts('inbox');
const templates = texts('provider-templates');

interface Props {
  conversation: Conversation;
  name: string;
  channel: Channel | undefined;
  /** Changes when the user asks to write here. */
  focus: number;
  onSent: () => void;
  /** Resolves the conversation. Absent if it is resolved. */
  resolve: (() => void) | undefined;
  /** Moves the focus out of the composer. */
  onLeave: () => void;
}

/** A field for a reply or a note. The text is stored until it is sent. */
export function Composer(props: Props) {
  const { conversation, name, channel, focus, onSent, resolve, onLeave } = props;
  const { workspace, role } = useWhere();
  const draft = useDraft(conversation.id);
  const write = useWrite(workspace.id, conversation);
  const [finding, setFinding] = useState(false);
  const [choosing, setChoosing] = useState(draft.quickReplies.length > 0);
  const field = useRef<HTMLTextAreaElement>(null);
  const note = draft.as === 'note';
  const most = channel?.capabilities.quick_replies ?? 0;
  const picked = usePicked(workspace.id, conversation.id, note);
  const attach = (files: File[]) => {
    picked.add(files);
    if (write.error) write.reset();
  };
  const { zone, isOver: isDropping } = useFileZone<HTMLFormElement>(mayWrite(role) ? attach : undefined);
  useEffect(() => {
    if (focus > 0) field.current?.focus();
  }, [focus]);
  if (!mayWrite(role)) return <p className={classes.readOnly}>{t('readOnly')}</p>;

  const change = (next: Partial<typeof draft>) => {
    drafts.change(conversation.id, next);
    if (write.error) write.reset();
  };
  const isUploading = !note && draft.files.some((it) => !it.uploaded);
  const isEmpty = !draft.text.trim() && (note || draft.files.length === 0);
  const send = async (then?: () => void) => {
    const message = messageOf(draft);
    if (isEmpty || isUploading || write.isPending) return;
    picked.clear();
    // The composer shows the error. A sent message resolves its own conversation, even if another one is open
    // by then.
    const isSent = await write.mutateAsync(message).then(
      () => true,
      () => false,
    );
    if (!isSent) return;
    setChoosing(false);
    onSent();
    then?.();
  };
  const insert = (text: string, attachments: Attached[]) => {
    const { selectionStart: from = 0, selectionEnd: to = 0 } = field.current ?? {};
    const files = [...draft.files, ...filesOfReply(attachments)].slice(0, MAX_FILES);
    change({ text: draft.text.slice(0, from) + text + draft.text.slice(to), files });
    setTimeout(() => field.current?.focus());
  };
  const answered = note ? undefined : draft.replyTo;
  const unquote = () => {
    change({ replyTo: undefined });
    field.current?.focus();
  };
  const press = (event: React.KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void send(event.shiftKey && !note ? resolve : undefined);
    } else if (event.key === '/' && draft.text === '' && !note) {
      event.preventDefault();
      setFinding(true);
    }
  };
  const leave = (event: React.KeyboardEvent) => {
    // A list that was opened from the composer closes first. It is outside of the form in the document.
    const isInside = event.currentTarget.contains(event.target as Node);
    if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing || !isInside)
      return;
    event.preventDefault();
    if (answered && !write.isPending) unquote();
    else onLeave();
  };
  const faults = faultsByField(write.error);
  const placeholder = note ? t('notePlaceholder') : t('replyPlaceholder', { name });
  return (
    <SubmitForm
      {...zone}
      className={classes.composer}
      data-note={note || undefined}
      aria-label={t('composer')}
      onKeyDown={leave}
      onSubmit={() => {
        void send();
      }}
    >
      {write.error && <Unsent error={write.error} faults={faults} />}
      {!note && (
        <ReplyWindow conversation={conversation} channel={channel} hasFallback={!!draft.fallback?.name} />
      )}
      <div className={classes.box}>
        {answered && (
          <Quoted
            text={answered.text}
            channel={channel}
            error={write.variables?.reply_to === answered.id ? faults.reply_to : undefined}
            isSending={write.isPending}
            onRemove={unquote}
          />
        )}
        <Textarea
          ref={field}
          variant="unstyled"
          aria-label={note ? t('note') : t('reply')}
          placeholder={isDropping ? t('files.drop') : placeholder}
          autosize
          minRows={2}
          maxRows={10}
          maxLength={4096}
          classNames={{ input: classes.input }}
          value={draft.text}
          error={faults.text}
          readOnly={write.isPending}
          onChange={(event) => change({ text: event.currentTarget.value })}
          onKeyDown={press}
        />
        <PickedFiles
          ws={workspace.id}
          conversation={conversation.id}
          files={note ? [] : draft.files}
          refused={picked.refused}
          isSending={write.isPending}
          onRemove={() => write.error && write.reset()}
        />
        {choosing && !note && (
          <TagsInput
            size="xs"
            aria-label={t('quickReplies')}
            description={t('quickReplyHint')}
            placeholder={draft.quickReplies.length < most ? t('quickReplyPlaceholder') : undefined}
            maxTags={most}
            maxLength={80}
            splitChars={[]}
            data={[]}
            value={draft.quickReplies}
            error={faults.quick_replies}
            readOnly={write.isPending}
            onChange={(quickReplies) => change({ quickReplies })}
          />
        )}
        {!note && channel && draft.fallback && (
          <FallbackFields
            channel={channel.id}
            value={draft.fallback}
            onChange={(fallback) => change({ fallback })}
            onRemove={() => change({ fallback: undefined })}
            error={faults.fallback}
            readOnly={write.isPending}
          />
        )}
        <div className={classes.tools}>
          <SegmentedControl
            size="xs"
            aria-label={t('asLabel')}
            value={draft.as}
            onChange={(as) => change({ as: as === 'note' ? 'note' : 'reply' })}
            data={[
              { value: 'reply', label: t('as.reply') },
              { value: 'note', label: t('as.note') },
            ]}
          />
          {!note && <AttachButton add={attach} count={draft.files.length} isSending={write.isPending} />}
          {!note && (
            <SavedReplies
              contact={conversation.contact_id}
              opened={finding}
              setOpened={setFinding}
              insert={insert}
            />
          )}
          {!note && most > 0 && (
            <Button
              size="compact-sm"
              variant="subtle"
              color="gray"
              leftSection={<IconListDetails size={15} aria-hidden />}
              className={classes.tool}
              aria-expanded={choosing}
              onClick={() => {
                setChoosing(!choosing);
                if (choosing) change({ quickReplies: [] });
              }}
            >
              {t('quickReplies')}
            </Button>
          )}
          {!note && channel && hasTemplates(channel) && !draft.fallback && (
            <Button
              size="compact-sm"
              variant="subtle"
              color="gray"
              leftSection={<IconTemplate size={15} aria-hidden />}
              className={classes.tool}
              title={templates('fallbackHint')}
              onClick={() => change({ fallback: { name: '' } })}
            >
              {templates('addFallback')}
            </Button>
          )}
          <div className={classes.sending}>
            <Segments ws={workspace.id} channel={channel} draft={draft} />
            {!note && resolve && (
              <Button
                size="xs"
                variant="default"
                disabled={isEmpty || isUploading || write.isPending}
                title={t('sendAndResolveKeys')}
                onClick={() => void send(resolve)}
              >
                {t('sendAndResolve')}
              </Button>
            )}
            <Button
              type="submit"
              size="xs"
              className={classes.send}
              loading={write.isPending}
              disabled={isEmpty || isUploading}
              title={isUploading ? t('files.uploading') : undefined}
            >
              {note ? t('addNote') : write.error ? t('sendAgain') : t('send')}
              <kbd className={classes.sendKey}>{t('sendKeys')}</kbd>
            </Button>
          </div>
        </div>
      </div>
    </SubmitForm>
  );
}

/** The error of a message, and whether it may have been sent. */
function Unsent({ error, faults }: { error: unknown; faults: Record<string, string> }) {
  const ofFiles = knownFileError(error) ?? faults.attachments;
  return (
    <div className={classes.unsent}>
      {(ofFiles || Object.keys(faults).length === 0) && <Failure error={error} message={ofFiles} />}
      <p className={classes.hint}>{error instanceof Unreachable ? t('maybeSent') : t('notSentYet')}</p>
    </div>
  );
}
