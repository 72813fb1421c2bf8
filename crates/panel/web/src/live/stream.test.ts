import { expect, test, vi } from 'vitest';
import type { Told } from './blocks';
import { WorkspaceStream } from './stream';

/** The responses of a server in the order of the requests. The last one stays open. */
function served(...answers: (string | number)[]) {
  const asked: (string | undefined)[] = [];
  const open = async (last: string | undefined, signal: AbortSignal) => {
    const answer = answers[asked.length];
    asked.push(last);
    if (typeof answer === 'number') return new Response('{}', { status: answer });
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(answer));
        if (asked.length < answers.length) controller.close();
        else signal.addEventListener('abort', () => controller.error(signal.reason));
      },
    });
    return new Response(body);
  };
  return { asked, open };
}

test('continues a broken stream after the last event, and repeats none', async () => {
  const { asked, open } = served(
    'retry: 20\n\nid: 7\nevent: ready\ndata: {}\n\nid: 8\nevent: message.sent\ndata: {}\n\n',
    'id: 9\nevent: message.sent\ndata: {}\n\nid: 9\nevent: ready\ndata: {}\n\n',
  );
  const stream = new WorkspaceStream(open);
  const heard: (string | undefined)[] = [];
  const stop = stream.listen((told: Told) => heard.push(`${told.event} ${told.id}`));
  await vi.waitFor(() => expect(stream.isLive && heard.length === 4).toBe(true));
  expect(asked).toEqual([undefined, '8']);
  expect(heard).toEqual(['ready 7', 'message.sent 8', 'message.sent 9', 'ready 9']);
  stop();
  expect(stream.isLive).toBe(false);
});

test('begins with new events if older ones were deleted', async () => {
  const { asked, open } = served(
    'retry: 20\n\nid: 7\nevent: ready\ndata: {}\n\n',
    410,
    'id: 99\nevent: ready\ndata: {}\n\n',
  );
  const stream = new WorkspaceStream(open);
  const heard: (string | undefined)[] = [];
  const stop = stream.listen((told) => heard.push(told.id));
  await vi.waitFor(() => expect(heard).toEqual(['7', '99']));
  expect(asked).toEqual([undefined, '7', undefined]);
  stop();
});
