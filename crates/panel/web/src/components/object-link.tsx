import { Link } from '@tanstack/react-router';
import { isInspected } from '../inspect/kinds';
import { pageOf } from './object-page';

interface Props {
  id: string;
  className?: string;
  children: React.ReactNode;
}

/** Links to the page of an object by its ID. IDs without a page are plain text. */
export function ObjectLink({ id, className, children }: Props) {
  if (!isInspected(id)) return <span className={className}>{children}</span>;
  return (
    <Link to={pageOf(id) as '/'} className={className}>
      {children}
    </Link>
  );
}
