import { useNavigate } from '@tanstack/react-router';
import { useWhere } from './here';

/** Live data, or the sandbox: where there is none yet, the page that makes one opens. */
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
