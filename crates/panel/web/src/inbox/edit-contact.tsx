import { useQueryClient } from '@tanstack/react-query';
import { useWhere } from '../app/here';
import { GuardedDrawer } from '../components/guarded';
import { Failure, Waiting } from '../components/states';
import { useContact } from '../contact/api';
import { ProfileForm } from '../contact/profile-form';
import { texts } from '../i18n/texts';
import { cardOf } from './people';

const t = texts('inbox');

/** The attributes and custom fields of a contact, beside the conversation. */
export function EditContact({ id, onClose }: { id: string; onClose: () => void }) {
  const { workspace } = useWhere();
  const client = useQueryClient();
  const contact = useContact(workspace.id, id);
  return (
    <GuardedDrawer
      opened
      onClose={() => {
        void client.invalidateQueries({ queryKey: cardOf(workspace.id, id) });
        onClose();
      }}
      position="right"
      title={t('editContact')}
    >
      {contact.data ? (
        <ProfileForm latest={contact.data} />
      ) : contact.error ? (
        <Failure error={contact.error} retry={() => void contact.refetch()} />
      ) : (
        <Waiting />
      )}
    </GuardedDrawer>
  );
}
