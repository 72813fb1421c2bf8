import { Modal, Text } from '@mantine/core';
import { texts } from '../i18n/texts';
import { Curl } from './code';
import type { Call } from './curl';

const common = texts('common');

/** The API request of a page, in a dialog. */
export function CallDialog({ call, onClose }: { call: Call; onClose: () => void }) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={common('apiCall')}
      size="lg"
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      <Text size="sm" c="dimmed" mb="xs">
        {common('apiHint')}
      </Text>
      <Curl call={call} />
    </Modal>
  );
}
