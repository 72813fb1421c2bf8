import { Modal } from '@mantine/core';
import { texts } from '../i18n/texts';
import classes from './key-help.module.css';

const t = texts('inbox');

const KEYS = [
  [['j', 'k'], 'walk'],
  [['Enter'], 'open'],
  [['r'], 'reply'],
  [['n'], 'note'],
  [['a'], 'take'],
  [['e'], 'end'],
  [['x'], 'select'],
  [['z'], 'undo'],
  [['Esc'], 'leave'],
  [['Ctrl', '↵'], 'send'],
  [['Ctrl', 'Shift', '↵'], 'sendAndResolve'],
  [['/'], 'savedReply'],
  [['?'], 'help'],
] as const;

export function KeyHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('keysTitle')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <dl className={classes.keys}>
        {KEYS.map(([keys, action]) => (
          <div key={action} className={classes.line}>
            <dt>
              {keys.map((key) => (
                <kbd key={key} className={classes.key}>
                  {t.find('keyNames', key) ?? key}
                </kbd>
              ))}
            </dt>
            <dd>{t(`keys.${action}`)}</dd>
          </div>
        ))}
      </dl>
      <p className="dimmed">{t('keysHint')}</p>
    </Modal>
  );
}
