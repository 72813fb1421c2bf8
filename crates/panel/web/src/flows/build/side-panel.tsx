import type { Definition, Finding } from '../definition';

export interface PanelProps {
  definition: Definition;
  change: (next: Definition, about?: string) => void;
  selected: readonly string[];
  select: (ids: string[]) => void;
  findings: Finding[];
}

export function SidePanel(_: PanelProps) {
  return null;
}
