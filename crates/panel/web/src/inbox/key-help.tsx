import { Modal } from '@mantine/core';
import { en } from '../i18n/en';
import classes from './key-help.module.css';

const words = en.inbox;

/** The keys of the inbox. */
export function KeyHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={words.keysTitle}
      closeButtonProps={{ 'aria-label': en.common.close }}
    >
      <dl className={classes.keys}>
        {words.keys.map(([keys, action]) => (
          <div key={action} className={classes.line}>
            <dt>
              {keys.map((key) => (
                <kbd key={key} className={classes.key}>
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
      <p className="dimmed">{words.keysHint}</p>
    </Modal>
  );
}
