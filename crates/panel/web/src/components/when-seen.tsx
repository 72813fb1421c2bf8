import { startTransition, useEffect, useRef, useState } from 'react';

interface Props {
  /** The height of the place until it is seen, in pixels. */
  height: number;
  children: React.ReactNode;
}

/** Draws something that takes long when its place comes into the window, without blocking what the user does. */
export function WhenSeen({ height, children }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (!place.current) return;
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && startTransition(() => setSeen(true)),
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return isSeen ? children : <div ref={place} style={{ height }} />;
}
