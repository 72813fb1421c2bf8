import type { Message } from './messages';

/** An outgoing message, with the given changes. */
export function message(but: Partial<Message>): Message {
  const at = but.created_at ?? '2026-01-01T00:00:00.000Z';
  return {
    id: 'msg_01m81znr17ergb0rs4khtmvptz',
    conversation_id: 'conv_01m81znr17ergb0rs4k64srbay',
    contact_id: 'contact_01m81znr17ergb0rs4jrscctfv',
    channel_id: 'chan_01m81znqrrehgawe7yn6c4w4rj',
    direction: 'outbound',
    type: 'text',
    text: 'Hello',
    has_original: false,
    truncated: false,
    data: null,
    attachments: [],
    quick_replies: [],
    template: null,
    private: false,
    status: 'sent',
    status_history: [{ status: 'sent', at }],
    error: null,
    parts: [],
    degraded: [],
    segments: null,
    sender: { type: 'flow' },
    auto: false,
    sender_verified: null,
    provider_message_id: null,
    address: null,
    referral: null,
    choice: null,
    reply_to: null,
    // The generated types do not contain it yet.
    ...{ thread: null },
    edits: [],
    edited_at: null,
    deleted_by_contact_at: null,
    sent_at: null,
    reactions: [],
    resend_of: null,
    resent_as: null,
    created_at: at,
    updated_at: at,
    version: 1,
    ...but,
  };
}
