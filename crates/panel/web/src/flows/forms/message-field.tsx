import { Input, TextInput } from '@mantine/core';
import type { Attached } from '../../attachments/attached';
import { FileZone } from '../../attachments/file-zone';
import { StoredFile } from '../../attachments/files-field';
import { typeWith } from '../../attachments/message-type';
import { UploadFiles } from '../../attachments/upload-files';
import { type Files, useFiles } from '../../attachments/use-files';
import { texts } from '../../i18n/texts';
import type { Words } from '../definition';
import { patched, useSurroundings } from './context';
import { FallbackField } from './fallback-field';
import classes from './forms.module.css';
import { PickField } from './pick-field';
import { Preview } from './preview';
import { Add, Remove } from './rows';
import { TemplateField } from './template-field';
import { TextField } from './text-field';

const t = texts('flow-forms');
const TYPES = ['text', 'image', 'video', 'audio', 'file', 'location', 'card', 'template'] as const;

interface Props {
  label: string;
  field: string;
  value: Words | undefined;
  onChange: (message: Words) => void;
}

export function MessageField({ label, field, value, onChange }: Props) {
  const message: Words = value?.type ? value : { ...value, type: 'text' };
  const set = (patch: Partial<Words>) => onChange(patched(message, patch));
  const { type } = message;
  const parts = { label, message, field, set };
  // A template has no fallback.
  const choose = (next: Words['type']) =>
    set({ type: next, ...(next === 'template' && { fallback: undefined }) });
  return (
    <div className={classes.part}>
      <PickField
        label={t('messageType')}
        field={`${field}/type`}
        value={type}
        options={TYPES.map((it) => ({ value: it, label: t(`messageTypes.${it}`) }))}
        onChange={(next) => choose((next ?? 'text') as Words['type'])}
      />
      {type === 'template' ? (
        <TemplateField
          field={`${field}/template`}
          value={message.template}
          onChange={(template) => set({ template })}
        />
      ) : type === 'location' ? (
        <>
          <Text {...parts} />
          <Attachments message={message} field={field} set={set} />
        </>
      ) : (
        <TextAndFiles {...parts} />
      )}
      {type !== 'template' && <QuickReplies message={message} field={field} set={set} />}
      {type !== 'template' && <FallbackField message={message} field={field} set={set} />}
      {message.text && <Preview template={message.text} />}
    </div>
  );
}

interface PartProps {
  message: Words;
  field: string;
  set: (patch: Partial<Words>) => void;
}

interface TextProps extends PartProps {
  label: string;
}

function Text({ label, message, field, set }: TextProps) {
  return (
    <TextField
      label={label}
      field={`${field}/text`}
      value={message.text ?? ''}
      onChange={(text) => set({ text: message.type === 'text' ? text : text || undefined })}
      long
      template
    />
  );
}

/** The text and the files. The type of the message follows from uploaded and removed files. */
function TextAndFiles(props: TextProps) {
  const { message, set } = props;
  const change = (attachments: Attached[]) => {
    const type = typeWith(message.type, attachments);
    set({
      type,
      text: type === 'text' ? (message.text ?? '') : message.text || undefined,
      attachments: attachments.length > 0 ? attachments : undefined,
    });
  };
  const files = useFiles(message.attachments ?? [], change);
  return (
    <FileZone files={files}>
      <Text {...props} />
      <Attachments {...props} files={files} change={change} />
    </FileZone>
  );
}

interface AttachmentsProps extends PartProps {
  /** The uploads. A location has none. */
  files?: Files;
  /** Adds or removes attachments. */
  change?: (attachments: Attached[]) => void;
}

function Attachments({
  message,
  field,
  set,
  files,
  change = (attachments) => set({ attachments }),
}: AttachmentsProps) {
  const { marks, fault } = useSurroundings();
  const all = message.attachments ?? [];
  const places = all.flatMap((_, at) => ['media_id', 'url'].map((it) => `${field}/attachments/${at}/${it}`));
  const own = marks(`${field}/attachments`);
  const error = own.error ?? places.map(fault).find(Boolean);
  const place = message.type === 'location' ? 'geo:52.5163,13.3777' : 'https://';
  const write = (at: number, url: string) =>
    set({ attachments: all.map((it, index) => (index === at ? { ...it, url } : it)) });
  return (
    <Input.Wrapper label={t('attachments')} labelElement="div" {...own} error={error}>
      <div className={classes.rows}>
        {all.map((it, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: attachments have no other stable key
          <Part key={at} attachment={it} onRemove={() => change(all.filter((_, index) => index !== at))}>
            <TextInput
              aria-label={t('url')}
              placeholder={place}
              value={it.url ?? ''}
              onChange={(event) => write(at, event.currentTarget.value)}
            />
          </Part>
        ))}
        {files && <UploadFiles files={files} />}
        {message.type !== 'text' && (
          <Add label={t('addAttachment')} onClick={() => set({ attachments: [...all, { url: place }] })} />
        )}
      </div>
    </Input.Wrapper>
  );
}

interface AttachmentProps {
  attachment: Attached;
  onRemove: () => void;
  /** The field for the URL, if the attachment is no uploaded file. */
  children: React.ReactNode;
}

function Part({ attachment, onRemove, children }: AttachmentProps) {
  if (attachment.media_id) return <StoredFile attachment={attachment} onRemove={onRemove} />;
  return <Row onRemove={onRemove}>{children}</Row>;
}

function QuickReplies({ message, field, set }: PartProps) {
  const { marks } = useSurroundings();
  const all = message.quick_replies ?? [];
  const change = (next: typeof all) => set({ quick_replies: next.length > 0 ? next : undefined });
  const put = (at: number, patch: Partial<(typeof all)[number]>) =>
    change(all.map((it, index) => (index === at ? patched(it, patch) : it)));
  return (
    <Input.Wrapper label={t('quickReplies')} labelElement="div" {...marks(`${field}/quick_replies`)}>
      <div className={classes.rows}>
        {all.map((it, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: quick replies have no other stable key
          <div key={at} className={classes.row}>
            <TextInput
              aria-label={t('replyTitle')}
              placeholder={t('replyTitle')}
              value={it.title}
              maxLength={80}
              onChange={(event) => put(at, { title: event.currentTarget.value })}
            />
            <TextInput
              aria-label={t('replyPayload')}
              placeholder={t('replyPayload')}
              value={it.payload ?? ''}
              onChange={(event) => put(at, { payload: event.currentTarget.value || undefined })}
            />
            <Remove onClick={() => change(all.filter((_, index) => index !== at))} />
          </div>
        ))}
        {all.length < 10 && <Add label={t('addReply')} onClick={() => change([...all, { title: '' }])} />}
      </div>
    </Input.Wrapper>
  );
}

function Row({ children, onRemove }: { children: React.ReactNode; onRemove: () => void }) {
  return (
    <div className={classes.row} style={{ gridTemplateColumns: '1fr auto' }}>
      {children}
      <Remove onClick={onRemove} />
    </div>
  );
}
