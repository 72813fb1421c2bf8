import { type ClipboardEvent, type RefObject, useEffect, useRef, useState } from 'react';

type Zone = RefObject<HTMLElement | null>;

/** The elements of the page that receive files. */
const zones = new Set<Zone>();

/** The properties of an element that receives files. */
export interface ZoneProps<Element extends HTMLElement> {
  ref: RefObject<Element | null>;
  onPaste: (event: ClipboardEvent) => void;
  'data-drop': true | undefined;
}

/**
 * Receives files that are dropped on an element or pasted into it. If it is the only one on the page, it also receives
 * files that are dropped beside it. Without `add`, files are ignored; the browser never opens a file instead of the
 * panel.
 */
export function useFileZone<Element extends HTMLElement>(add: ((files: File[]) => void) | undefined) {
  const ref = useRef<Element>(null);
  const isOver = useDrop(add, ref);
  const zone: ZoneProps<Element> = {
    ref,
    onPaste: (event) => {
      const files = pastedFiles(event.clipboardData);
      if (files.length === 0 || !add) return;
      event.preventDefault();
      add(files);
    },
    'data-drop': isOver || undefined,
  };
  /** Whether files are being dragged that the element can receive. */
  return { zone, isOver };
}

/** The files of a paste. A copied text can also contain a picture of itself, which is left out. */
function pastedFiles(data: DataTransfer): File[] {
  return [...data.types].includes('text/plain') ? [] : [...data.files];
}

function useDrop(add: ((files: File[]) => void) | undefined, zone: Zone): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (add) zones.add(zone);
    const drag = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      const other = zoneAt(event.target);
      setOver(!other || other === zone);
    };
    const leave = (event: DragEvent) => {
      if (!event.relatedTarget) setOver(false);
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      const at = zoneAt(event.target) ?? (zones.size === 1 ? zone : undefined);
      if (at === zone) add?.(droppedFiles(event.dataTransfer));
    };
    window.addEventListener('dragover', drag);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', drop);
    return () => {
      zones.delete(zone);
      window.removeEventListener('dragover', drag);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', drop);
    };
  }, [add, zone]);
  return isOver && add !== undefined;
}

function hasFiles(event: DragEvent): event is DragEvent & { dataTransfer: DataTransfer } {
  return event.dataTransfer !== null && [...event.dataTransfer.types].includes('Files');
}

/** The zone with this element. */
function zoneAt(target: EventTarget | null): Zone | undefined {
  return [...zones].find(({ current }) => target instanceof Node && current?.contains(target));
}

/** The dropped files, without folders. */
function droppedFiles({ files, items }: DataTransfer): File[] {
  return [...files].filter((_, at) => !items?.[at]?.webkitGetAsEntry?.()?.isDirectory);
}
