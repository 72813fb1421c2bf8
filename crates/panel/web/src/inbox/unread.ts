import { useAccount } from '../app/use-session';
import { useConversations } from './api';
import { unreadIn } from './views';

/** In how many of the newest open conversations there is something that nobody has looked at. */
export function useUnread(ws: string): number {
  const { user } = useAccount();
  const open = useConversations(ws, 'open', user.id, undefined);
  return unreadIn(open.data?.pages.flatMap((page) => page.data) ?? []);
}
