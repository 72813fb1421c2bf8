import { useNavigate } from '@tanstack/react-router';
import { useWhere } from './here';

/** Switches between live data and the sandbox. Without a sandbox, it opens the page that creates one. */
export function useMode() {
  const { live, sandbox, administers, go } = useWhere();
  const navigate = useNavigate();
  return {
    offered: sandbox !== undefined || administers,
    choose: (mode: 'live' | 'sandbox') => {
      if (mode === 'live') go(live.id);
      else if (sandbox) go(sandbox.id);
      else void navigate({ to: '/developers/sandbox' });
    },
  };
}
