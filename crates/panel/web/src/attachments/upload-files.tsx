import { useEffect, useRef, useState } from 'react';
import { useWhere } from '../app/here';
import { AttachButton, PickedFile, Refused } from '../inbox/files/picked';
import classes from '../inbox/files/picked.module.css';
import { choose } from '../inbox/files/use-picked';
import { type Attached, ofFile } from './attached';
import { useAttaching } from './use-attaching';

interface Props {
  /** All attachments of the message, in their order. */
  value: Attached[];
  onChange: (attachments: Attached[]) => void;
}

/** A button that uploads files and adds them to a message, with the progress of its uploads. */
export function UploadFiles({ value, onChange }: Props) {
  const { workspace } = useWhere();
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  const { running, add, retry, remove } = useAttaching(workspace.id, (media) => {
    latest.current = [...latest.current, ofFile(media)];
    onChange(latest.current);
  });
  const [refused, setRefused] = useState<string[]>([]);
  const count = value.length + running.length;
  const attach = (files: File[]) => {
    const { chosen, reasons } = choose(files, count, false);
    setRefused(reasons);
    add(chosen);
  };
  return (
    <>
      {running.length > 0 && (
        <ul className={classes.files}>
          {running.map((it) => (
            <PickedFile
              key={it.key}
              name={it.file.name}
              size={it.file.size}
              upload={it}
              onRetry={() => retry(it.key)}
              onRemove={() => remove(it.key)}
            />
          ))}
        </ul>
      )}
      <Refused reasons={refused} />
      <div>
        <AttachButton add={attach} count={count} isSending={false} />
      </div>
    </>
  );
}
