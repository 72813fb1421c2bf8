// Made by sdk/generate.py from docs/openapi.json: change the handlers, and make it anew (`make sdk`).

import { type Http, type Options, quote } from './http.js';
import type { Answer, Body, Item, Query } from './types.js';

class Access {
  constructor(private readonly http: Http) {}

  /** Shows the workspace, plan and scope of the key, or of the person, who asks. */
  getMe(options?: Options): Promise<Answer<'get_me'>> {
    return this.http.send('GET', '/api/v1/me', { ...options });
  }
}

class Analytics {
  constructor(private readonly http: Http) {}

  /** Shows how often things happened in a span of time, in total and point by point. */
  overview(query?: Query<'analytics_overview'>, options?: Options): Promise<Answer<'analytics_overview'>> {
    return this.http.send('GET', '/api/v1/analytics/overview', { query, ...options });
  }
}

class BotFields {
  constructor(private readonly http: Http) {}

  /** Lists bot fields. */
  list(query?: Query<'list_bot_fields'>, options?: Options): Promise<Answer<'list_bot_fields'>> {
    return this.http.send('GET', '/api/v1/bot-fields', { query, ...options });
  }

  /** As `list`, one after the other over all pages. */
  each(query?: Query<'list_bot_fields'>, options?: Options): AsyncGenerator<Item<'list_bot_fields'>> {
    return this.http.each('/api/v1/bot-fields', { query, ...options });
  }

  /** Creates a bot field. */
  create(body: Body<'create_bot_field'>, options?: Options): Promise<Answer<'create_bot_field'>> {
    return this.http.send('POST', '/api/v1/bot-fields', { body, keyed: true, ...options });
  }

  /** Shows a bot field. */
  get(id: string | number, options?: Options): Promise<Answer<'get_bot_field'>> {
    return this.http.send('GET', `/api/v1/bot-fields/${quote(id)}`, { ...options });
  }

  /** Sets the value of a bot field. */
  set(id: string | number, body: Body<'set_bot_field'>, options?: Options): Promise<Answer<'set_bot_field'>> {
    return this.http.send('POST', `/api/v1/bot-fields/${quote(id)}`, { body, keyed: true, ...options });
  }

  /** Renames a bot field. */
  patch(id: string | number, body: Body<'patch_bot_field'>, options?: Options): Promise<Answer<'patch_bot_field'>> {
    return this.http.send('PATCH', `/api/v1/bot-fields/${quote(id)}`, { body, ...options });
  }

  /** Deletes a bot field. */
  delete(id: string | number, query?: Query<'delete_bot_field'>, options?: Options): Promise<Answer<'delete_bot_field'>> {
    return this.http.send('DELETE', `/api/v1/bot-fields/${quote(id)}`, { query, ...options });
  }
}

class Broadcasts {
  constructor(private readonly http: Http) {}

  /** Lists broadcasts. */
  list(query?: Query<'list_broadcasts'>, options?: Options): Promise<Answer<'list_broadcasts'>> {
    return this.http.send('GET', '/api/v1/broadcasts', { query, ...options });
  }

  /** As `list`, one after the other over all pages. */
  each(query?: Query<'list_broadcasts'>, options?: Options): AsyncGenerator<Item<'list_broadcasts'>> {
    return this.http.each('/api/v1/broadcasts', { query, ...options });
  }

  /** Creates a draft of a broadcast. */
  create(body: Body<'create_broadcast'>, options?: Options): Promise<Answer<'create_broadcast'>> {
    return this.http.send('POST', '/api/v1/broadcasts', { body, keyed: true, ...options });
  }

  /** Shows a broadcast, with how far its messages came. */
  get(id: string | number, options?: Options): Promise<Answer<'get_broadcast'>> {
    return this.http.send('GET', `/api/v1/broadcasts/${quote(id)}`, { ...options });
  }

  /** Updates a draft. */
  update(id: string | number, body: Body<'update_broadcast'>, options?: Options): Promise<Answer<'update_broadcast'>> {
    return this.http.send('PUT', `/api/v1/broadcasts/${quote(id)}`, { body, ...options });
  }

  /** Updates a draft. */
  patch(id: string | number, body: Body<'patch_broadcast'>, options?: Options): Promise<Answer<'patch_broadcast'>> {
    return this.http.send('PATCH', `/api/v1/broadcasts/${quote(id)}`, { body, ...options });
  }

  /** Deletes a broadcast that never began. */
  delete(id: string | number, options?: Options): Promise<Answer<'delete_broadcast'>> {
    return this.http.send('DELETE', `/api/v1/broadcasts/${quote(id)}`, { ...options });
  }

  /** Ends a broadcast for good: who has no message yet gets none. */
  cancel(id: string | number, options?: Options): Promise<Answer<'cancel_broadcast'>> {
    return this.http.send('POST', `/api/v1/broadcasts/${quote(id)}/cancel`, { keyed: true, ...options });
  }

  /** Pauses a broadcast that is being sent. */
  pause(id: string | number, options?: Options): Promise<Answer<'pause_broadcast'>> {
    return this.http.send('POST', `/api/v1/broadcasts/${quote(id)}/pause`, { keyed: true, ...options });
  }

  /** Shows what a broadcast would do if it were sent now. */
  preview(id: string | number, options?: Options): Promise<Answer<'preview_broadcast'>> {
    return this.http.send('POST', `/api/v1/broadcasts/${quote(id)}/preview`, { ...options });
  }

  /** Resumes a paused broadcast, behind those who have their messages. */
  resume(id: string | number, options?: Options): Promise<Answer<'resume_broadcast'>> {
    return this.http.send('POST', `/api/v1/broadcasts/${quote(id)}/resume`, { keyed: true, ...options });
  }

  /** Sends a draft at its time, or at once. */
  send(id: string | number, body?: Body<'send_broadcast'>, options?: Options): Promise<Answer<'send_broadcast'>> {
    return this.http.send('POST', `/api/v1/broadcasts/${quote(id)}/send`, { body, keyed: true, ...options });
  }

  /** Sends the message of a broadcast to one to five contacts, as it is now. */
  test(id: string | number, body: Body<'test_broadcast'>, options?: Options): Promise<Answer<'test_broadcast'>> {
    return this.http.send('POST', `/api/v1/broadcasts/${quote(id)}/test`, { body, keyed: true, ...options });
  }
}

class Channels {
  constructor(private readonly http: Http) {}

  /** Lists channels. */
  list(query?: Query<'list_channels'>, options?: Options): Promise<Answer<'list_channels'>> {
    return this.http.send('GET', '/api/v1/channels', { query, ...options });
  }

  /** As `list`, one after the other over all pages. */
  each(query?: Query<'list_channels'>, options?: Options): AsyncGenerator<Item<'list_channels'>> {
    return this.http.each('/api/v1/channels', { query, ...options });
  }

  /** Makes a channel. */
  create(body: Body<'create_channel'>, options?: Options): Promise<Answer<'create_channel'>> {
    return this.http.send('POST', '/api/v1/channels', { body, keyed: true, ...options });
  }

  /** Shows a channel. */
  get(id: string | number, options?: Options): Promise<Answer<'get_channel'>> {
    return this.http.send('GET', `/api/v1/channels/${quote(id)}`, { ...options });
  }

  /** Updates a channel. */
  update(id: string | number, body: Body<'update_channel'>, options?: Options): Promise<Answer<'update_channel'>> {
    return this.http.send('PUT', `/api/v1/channels/${quote(id)}`, { body, ...options });
  }

  /** Updates a channel. */
  patch(id: string | number, body: Body<'patch_channel'>, options?: Options): Promise<Answer<'patch_channel'>> {
    return this.http.send('PATCH', `/api/v1/channels/${quote(id)}`, { body, ...options });
  }

  /** Deletes a channel. */
  delete(id: string | number, query?: Query<'delete_channel'>, options?: Options): Promise<Answer<'delete_channel'>> {
    return this.http.send('DELETE', `/api/v1/channels/${quote(id)}`, { query, ...options });
  }

  /** Lists what a channel handed to its provider; what a sandbox would have. */
  listCapturedMessages(id: string | number, query?: Query<'list_captured_messages'>, options?: Options): Promise<Answer<'list_captured_messages'>> {
    return this.http.send('GET', `/api/v1/channels/${quote(id)}/captured`, { query, ...options });
  }

  /** As `listCapturedMessages`, one after the other over all pages. */
  eachCapturedMessages(id: string | number, query?: Query<'list_captured_messages'>, options?: Options): AsyncGenerator<Item<'list_captured_messages'>> {
    return this.http.each(`/api/v1/channels/${quote(id)}/captured`, { query, ...options });
  }

  /** Lets a channel carry messages. */
  connect(id: string | number, options?: Options): Promise<Answer<'connect_channel'>> {
    return this.http.send('POST', `/api/v1/channels/${quote(id)}/connect`, { keyed: true, ...options });
  }

  /** Switches a channel off. */
  disconnect(id: string | number, options?: Options): Promise<Answer<'disconnect_channel'>> {
    return this.http.send('POST', `/api/v1/channels/${quote(id)}/disconnect`, { keyed: true, ...options });
  }

  /** Asks a channel's provider whether it would take messages. */
  test(id: string | number, options?: Options): Promise<Answer<'test_channel'>> {
    return this.http.send('POST', `/api/v1/channels/${quote(id)}/test`, { keyed: true, ...options });
  }
}

class Contacts {
  constructor(private readonly http: Http) {}

  /** Lists contacts that pass all filters. */
  list(query?: Query<'list_contacts'>, options?: Options): Promise<Answer<'list_contacts'>> {
    return this.http.send('GET', '/api/v1/contacts', { query, ...options });
  }

  /** As `list`, one after the other over all pages. */
  each(query?: Query<'list_contacts'>, options?: Options): AsyncGenerator<Item<'list_contacts'>> {
    return this.http.each('/api/v1/contacts', { query, ...options });
  }

  /** Creates a contact, with tags and custom field values. */
  create(body: Body<'create_contact'>, query?: Query<'create_contact'>, options?: Options): Promise<Answer<'create_contact'>> {
    return this.http.send('POST', '/api/v1/contacts', { body, query, keyed: true, ...options });
  }

  /** Creates, updates and deletes up to 100 contacts. */
  batch(body: Body<'batch_contacts'>, query?: Query<'batch_contacts'>, options?: Options): Promise<Answer<'batch_contacts'>> {
    return this.http.send('POST', '/api/v1/contacts/batch', { body, query, keyed: true, ...options });
  }

  /** Lists bulk operations: of the last hundred those that are not over, and those of the last thirty days. */
  listBulkOperations(query?: Query<'list_bulk_operations'>, options?: Options): Promise<Answer<'list_bulk_operations'>> {
    return this.http.send('GET', '/api/v1/contacts/bulk', { query, ...options });
  }

  /** As `listBulkOperations`, one after the other over all pages. */
  eachBulkOperations(query?: Query<'list_bulk_operations'>, options?: Options): AsyncGenerator<Item<'list_bulk_operations'>> {
    return this.http.each('/api/v1/contacts/bulk', { query, ...options });
  }

  /** Tags, untags or deletes all contacts that a filter chooses. */
  bulk(body: Body<'bulk_contacts'>, options?: Options): Promise<Answer<'bulk_contacts'>> {
    return this.http.send('POST', '/api/v1/contacts/bulk', { body, keyed: true, ...options });
  }

  /** Shows a bulk operation, with how far it is. */
  getBulkOperation(id: string | number, options?: Options): Promise<Answer<'get_bulk_operation'>> {
    return this.http.send('GET', `/api/v1/contacts/bulk/${quote(id)}`, { ...options });
  }

  /** Ends a bulk operation: what was done stays, and the rest is not done. */
  cancelBulkOperation(id: string | number, options?: Options): Promise<Answer<'cancel_bulk_operation'>> {
    return this.http.send('POST', `/api/v1/contacts/bulk/${quote(id)}/cancel`, { keyed: true, ...options });
  }

  /** Writes all contacts that pass all filters, the newest first. */
  export(query?: Query<'export_contacts'>, options?: Options): Promise<Response> {
    return this.http.send('GET', '/api/v1/contacts/export', { raw: true, query, ...options });
  }

  /** Takes a table of contacts in. */
  importContacts(body: Blob | string, query?: Query<'import_contacts'>, options?: Options): Promise<Answer<'import_contacts'>> {
    return this.http.send('POST', '/api/v1/contacts/import', { body, contentType: 'text/csv', query, keyed: true, ...options });
  }

  /** Lists imports: those that are not over, and those of the last thirty days. */
  listImports(query?: Query<'list_imports'>, options?: Options): Promise<Answer<'list_imports'>> {
    return this.http.send('GET', '/api/v1/contacts/imports', { query, ...options });
  }

  /** As `listImports`, one after the other over all pages. */
  eachImports(query?: Query<'list_imports'>, options?: Options): AsyncGenerator<Item<'list_imports'>> {
    return this.http.each('/api/v1/contacts/imports', { query, ...options });
  }

  /** Shows an import, with how far it is. */
  getImport(id: string | number, options?: Options): Promise<Answer<'get_import'>> {
    return this.http.send('GET', `/api/v1/contacts/imports/${quote(id)}`, { ...options });
  }

  /** Ends an import: what was done stays, and the rest is not done. */
  cancelImport(id: string | number, options?: Options): Promise<Answer<'cancel_import'>> {
    return this.http.send('POST', `/api/v1/contacts/imports/${quote(id)}/cancel`, { keyed: true, ...options });
  }

  /** Writes the rows that an import rejected so far, as a table. */
  exportRejectedRows(id: string | number, options?: Options): Promise<Response> {
    return this.http.send('GET', `/api/v1/contacts/imports/${quote(id)}/rejected`, { raw: true, ...options });
  }

  /** Finds the contacts that satisfy a condition. */
  search(body: Body<'search_contacts'>, options?: Options): Promise<Answer<'search_contacts'>> {
    return this.http.send('POST', '/api/v1/contacts/search', { body, ...options });
  }

  /** Shows a contact. */
  get(id: string | number, options?: Options): Promise<Answer<'get_contact'>> {
    return this.http.send('GET', `/api/v1/contacts/${quote(id)}`, { ...options });
  }

  /** Updates a contact. */
  update(id: string | number, body: Body<'update_contact'>, options?: Options): Promise<Answer<'update_contact'>> {
    return this.http.send('PUT', `/api/v1/contacts/${quote(id)}`, { body, ...options });
  }

  /** Updates a contact. */
  patch(id: string | number, body: Body<'patch_contact'>, options?: Options): Promise<Answer<'patch_contact'>> {
    return this.http.send('PATCH', `/api/v1/contacts/${quote(id)}`, { body, ...options });
  }

  /** Deletes a contact. */
  delete(id: string | number, options?: Options): Promise<Answer<'delete_contact'>> {
    return this.http.send('DELETE', `/api/v1/contacts/${quote(id)}`, { ...options });
  }

  /** Sets the value of a custom field of a contact. */
  setField(id: string | number, fieldId: string | number, body: Body<'set_contact_field'>, options?: Options): Promise<Answer<'set_contact_field'>> {
    return this.http.send('POST', `/api/v1/contacts/${quote(id)}/custom-fields/${quote(fieldId)}`, { body, keyed: true, ...options });
  }

  /** Erases a contact for good. */
  erase(id: string | number, options?: Options): Promise<Answer<'erase_contact'>> {
    return this.http.send('POST', `/api/v1/contacts/${quote(id)}/erase`, { keyed: true, ...options });
  }

  /** Records a custom event: something that happened to a contact outside of the service. */
  recordCustomEvent(id: string | number, body: Body<'record_custom_event'>, options?: Options): Promise<Answer<'record_custom_event'>> {
    return this.http.send('POST', `/api/v1/contacts/${quote(id)}/events`, { body, keyed: true, ...options });
  }

  /** Writes all that is kept of a contact. */
  exportContact(id: string | number, options?: Options): Promise<Answer<'export_contact'>> {
    return this.http.send('GET', `/api/v1/contacts/${quote(id)}/export`, { ...options });
  }

  /** Merges a contact into another, which stays. */
  merge(id: string | number, body: Body<'merge_contact'>, options?: Options): Promise<Answer<'merge_contact'>> {
    return this.http.send('POST', `/api/v1/contacts/${quote(id)}/merge`, { body, keyed: true, ...options });
  }

  /** Restores a deleted contact. */
  restore(id: string | number, options?: Options): Promise<Answer<'restore_contact'>> {
    return this.http.send('POST', `/api/v1/contacts/${quote(id)}/restore`, { keyed: true, ...options });
  }

  /** Sends a message to a contact. */
  sendMessage(id: string | number, body: Body<'send_message'>, options?: Options): Promise<Answer<'send_message'>> {
    return this.http.send('POST', `/api/v1/contacts/${quote(id)}/send-message`, { body, keyed: true, ...options });
  }

  /** Starts a flow for a contact. */
  startFlow(id: string | number, body: Body<'start_flow'>, options?: Options): Promise<Answer<'start_flow'>> {
    return this.http.send('POST', `/api/v1/contacts/${quote(id)}/start-flow`, { body, keyed: true, ...options });
  }

  /** Puts a tag on a contact. */
  addTag(id: string | number, body: Body<'add_contact_tag'>, options?: Options): Promise<Answer<'add_contact_tag'>> {
    return this.http.send('POST', `/api/v1/contacts/${quote(id)}/tags`, { body, keyed: true, ...options });
  }

  /** Makes these the tags of a contact. */
  replaceTags(id: string | number, body: Body<'replace_contact_tags'>, options?: Options): Promise<Answer<'replace_contact_tags'>> {
    return this.http.send('PUT', `/api/v1/contacts/${quote(id)}/tags`, { body, ...options });
  }

  /** Takes a tag off a contact. */
  removeTag(id: string | number, tagId: string | number, options?: Options): Promise<Answer<'remove_contact_tag'>> {
    return this.http.send('DELETE', `/api/v1/contacts/${quote(id)}/tags/${quote(tagId)}`, { ...options });
  }

  /** Lists what happened with a contact, newest first. */
  listTimeline(id: string | number, query?: Query<'list_contact_timeline'>, options?: Options): Promise<Answer<'list_contact_timeline'>> {
    return this.http.send('GET', `/api/v1/contacts/${quote(id)}/timeline`, { query, ...options });
  }

  /** As `listTimeline`, one after the other over all pages. */
  eachTimeline(id: string | number, query?: Query<'list_contact_timeline'>, options?: Options): AsyncGenerator<Item<'list_contact_timeline'>> {
    return this.http.each(`/api/v1/contacts/${quote(id)}/timeline`, { query, ...options });
  }
}

class Conversations {
  constructor(private readonly http: Http) {}

  /** Lists conversations that pass all filters. */
  list(query?: Query<'list_conversations'>, options?: Options): Promise<Answer<'list_conversations'>> {
    return this.http.send('GET', '/api/v1/conversations', { query, ...options });
  }

  /** As `list`, one after the other over all pages. */
  each(query?: Query<'list_conversations'>, options?: Options): AsyncGenerator<Item<'list_conversations'>> {
    return this.http.each('/api/v1/conversations', { query, ...options });
  }

  /** Shows a conversation. */
  get(id: string | number, options?: Options): Promise<Answer<'get_conversation'>> {
    return this.http.send('GET', `/api/v1/conversations/${quote(id)}`, { ...options });
  }

  /** Assigns a conversation to a member of the workspace, or to nobody. */
  assign(id: string | number, body: Body<'assign_conversation'>, options?: Options): Promise<Answer<'assign_conversation'>> {
    return this.http.send('POST', `/api/v1/conversations/${quote(id)}/assign`, { body, keyed: true, ...options });
  }

  /** Lists the messages of a conversation. */
  listMessages(id: string | number, query?: Query<'list_messages'>, options?: Options): Promise<Answer<'list_messages'>> {
    return this.http.send('GET', `/api/v1/conversations/${quote(id)}/messages`, { query, ...options });
  }

  /** As `listMessages`, one after the other over all pages. */
  eachMessages(id: string | number, query?: Query<'list_messages'>, options?: Options): AsyncGenerator<Item<'list_messages'>> {
    return this.http.each(`/api/v1/conversations/${quote(id)}/messages`, { query, ...options });
  }

  /** Writes into a conversation. */
  writeMessage(id: string | number, body: Body<'write_message'>, options?: Options): Promise<Answer<'write_message'>> {
    return this.http.send('POST', `/api/v1/conversations/${quote(id)}/messages`, { body, keyed: true, ...options });
  }

  /** Notes that somebody looked at what the contact wrote. */
  read(id: string | number, options?: Options): Promise<Answer<'read_conversation'>> {
    return this.http.send('POST', `/api/v1/conversations/${quote(id)}/read`, { keyed: true, ...options });
  }

  /** Opens a conversation that was resolved or snoozed. */
  reopen(id: string | number, options?: Options): Promise<Answer<'reopen_conversation'>> {
    return this.http.send('POST', `/api/v1/conversations/${quote(id)}/reopen`, { keyed: true, ...options });
  }

  /** Declares a conversation done. */
  resolve(id: string | number, options?: Options): Promise<Answer<'resolve_conversation'>> {
    return this.http.send('POST', `/api/v1/conversations/${quote(id)}/resolve`, { keyed: true, ...options });
  }

  /** Takes a conversation out of sight until a time, or until the contact writes. */
  snooze(id: string | number, body: Body<'snooze_conversation'>, options?: Options): Promise<Answer<'snooze_conversation'>> {
    return this.http.send('POST', `/api/v1/conversations/${quote(id)}/snooze`, { body, keyed: true, ...options });
  }

  /** Shows a message, and how far it came. */
  getMessage(id: string | number, options?: Options): Promise<Answer<'get_message'>> {
    return this.http.send('GET', `/api/v1/messages/${quote(id)}`, { ...options });
  }
}

class CustomFields {
  constructor(private readonly http: Http) {}

  /** Lists custom fields. */
  list(query?: Query<'list_custom_fields'>, options?: Options): Promise<Answer<'list_custom_fields'>> {
    return this.http.send('GET', '/api/v1/custom-fields', { query, ...options });
  }

  /** As `list`, one after the other over all pages. */
  each(query?: Query<'list_custom_fields'>, options?: Options): AsyncGenerator<Item<'list_custom_fields'>> {
    return this.http.each('/api/v1/custom-fields', { query, ...options });
  }

  /** Creates a custom field. */
  create(body: Body<'create_custom_field'>, options?: Options): Promise<Answer<'create_custom_field'>> {
    return this.http.send('POST', '/api/v1/custom-fields', { body, keyed: true, ...options });
  }

  /** Shows a custom field. */
  get(id: string | number, options?: Options): Promise<Answer<'get_custom_field'>> {
    return this.http.send('GET', `/api/v1/custom-fields/${quote(id)}`, { ...options });
  }

  /** Updates a custom field. */
  update(id: string | number, body: Body<'update_custom_field'>, query?: Query<'update_custom_field'>, options?: Options): Promise<Answer<'update_custom_field'>> {
    return this.http.send('PUT', `/api/v1/custom-fields/${quote(id)}`, { body, query, ...options });
  }

  /** Updates a custom field. */
  patch(id: string | number, body: Body<'patch_custom_field'>, query?: Query<'patch_custom_field'>, options?: Options): Promise<Answer<'patch_custom_field'>> {
    return this.http.send('PATCH', `/api/v1/custom-fields/${quote(id)}`, { body, query, ...options });
  }

  /** Deletes a custom field. */
  delete(id: string | number, query?: Query<'delete_custom_field'>, options?: Options): Promise<Answer<'delete_custom_field'>> {
    return this.http.send('DELETE', `/api/v1/custom-fields/${quote(id)}`, { query, ...options });
  }
}

class Flows {
  constructor(private readonly http: Http) {}

  /** Lists runs that pass all filters, by their starts. */
  listRuns(query?: Query<'list_flow_runs'>, options?: Options): Promise<Answer<'list_flow_runs'>> {
    return this.http.send('GET', '/api/v1/flow-runs', { query, ...options });
  }

  /** As `listRuns`, one after the other over all pages. */
  eachRuns(query?: Query<'list_flow_runs'>, options?: Options): AsyncGenerator<Item<'list_flow_runs'>> {
    return this.http.each('/api/v1/flow-runs', { query, ...options });
  }

  /** Shows a run through a flow, with its trace. */
  getRun(id: string | number, options?: Options): Promise<Answer<'get_flow_run'>> {
    return this.http.send('GET', `/api/v1/flow-runs/${quote(id)}`, { ...options });
  }

  /** Ends a run: it becomes `interrupted`. One that ended already is left as it is. */
  cancelRun(id: string | number, options?: Options): Promise<Answer<'cancel_flow_run'>> {
    return this.http.send('POST', `/api/v1/flow-runs/${quote(id)}/cancel`, { keyed: true, ...options });
  }

  /** Lists flows, without their definitions and the counts of their runs. */
  list(query?: Query<'list_flows'>, options?: Options): Promise<Answer<'list_flows'>> {
    return this.http.send('GET', '/api/v1/flows', { query, ...options });
  }

  /** As `list`, one after the other over all pages. */
  each(query?: Query<'list_flows'>, options?: Options): AsyncGenerator<Item<'list_flows'>> {
    return this.http.each('/api/v1/flows', { query, ...options });
  }

  /** Creates a flow with a draft. */
  create(body: Body<'create_flow'>, options?: Options): Promise<Answer<'create_flow'>> {
    return this.http.send('POST', '/api/v1/flows', { body, keyed: true, ...options });
  }

  /** Plays a definition that is not saved in virtual time. */
  simulateDefinition(body: Body<'simulate_definition'>, options?: Options): Promise<Answer<'simulate_definition'>> {
    return this.http.send('POST', '/api/v1/flows/simulate', { body, ...options });
  }

  /** Tells everything that is wrong with a definition, or looks wrong. */
  validate(body: Body<'validate_flow'>, options?: Options): Promise<Answer<'validate_flow'>> {
    return this.http.send('POST', '/api/v1/flows/validate', { body, ...options });
  }

  /** Shows a flow with its draft. */
  get(id: string | number, options?: Options): Promise<Answer<'get_flow'>> {
    return this.http.send('GET', `/api/v1/flows/${quote(id)}`, { ...options });
  }

  /** Edits the draft of a flow. */
  update(id: string | number, body: Body<'update_flow'>, options?: Options): Promise<Answer<'update_flow'>> {
    return this.http.send('PUT', `/api/v1/flows/${quote(id)}`, { body, ...options });
  }

  /** Edits the draft of a flow. */
  patch(id: string | number, body: Body<'patch_flow'>, options?: Options): Promise<Answer<'patch_flow'>> {
    return this.http.send('PATCH', `/api/v1/flows/${quote(id)}`, { body, ...options });
  }

  /** Deletes a flow: its live runs are interrupted. */
  delete(id: string | number, query?: Query<'delete_flow'>, options?: Options): Promise<Answer<'delete_flow'>> {
    return this.http.send('DELETE', `/api/v1/flows/${quote(id)}`, { query, ...options });
  }

  /** Pauses a published flow. */
  pause(id: string | number, options?: Options): Promise<Answer<'pause_flow'>> {
    return this.http.send('POST', `/api/v1/flows/${quote(id)}/pause`, { keyed: true, ...options });
  }

  /** Publishes the draft of a flow as its next version. */
  publish(id: string | number, body?: Body<'publish_flow'>, options?: Options): Promise<Answer<'publish_flow'>> {
    return this.http.send('POST', `/api/v1/flows/${quote(id)}/publish`, { body, keyed: true, ...options });
  }

  /** Resumes a paused flow. */
  resume(id: string | number, options?: Options): Promise<Answer<'resume_flow'>> {
    return this.http.send('POST', `/api/v1/flows/${quote(id)}/resume`, { keyed: true, ...options });
  }

  /** Plays a flow in virtual time. */
  simulate(id: string | number, body?: Body<'simulate_flow'>, options?: Options): Promise<Answer<'simulate_flow'>> {
    return this.http.send('POST', `/api/v1/flows/${quote(id)}/simulate`, { body, ...options });
  }

  /** Shows how often runs came to each node of a flow, by which exits they left it, how long that took, and how many are there
now. */
  statistics(id: string | number, query?: Query<'flow_statistics'>, options?: Options): Promise<Answer<'flow_statistics'>> {
    return this.http.send('GET', `/api/v1/flows/${quote(id)}/statistics`, { query, ...options });
  }

  /** Lists the published versions of a flow, newest first. */
  listVersions(id: string | number, query?: Query<'list_flow_versions'>, options?: Options): Promise<Answer<'list_flow_versions'>> {
    return this.http.send('GET', `/api/v1/flows/${quote(id)}/versions`, { query, ...options });
  }

  /** As `listVersions`, one after the other over all pages. */
  eachVersions(id: string | number, query?: Query<'list_flow_versions'>, options?: Options): AsyncGenerator<Item<'list_flow_versions'>> {
    return this.http.each(`/api/v1/flows/${quote(id)}/versions`, { query, ...options });
  }

  /** Makes an earlier version the draft again. */
  restoreVersion(id: string | number, number: string | number, options?: Options): Promise<Answer<'restore_flow_version'>> {
    return this.http.send('POST', `/api/v1/flows/${quote(id)}/versions/${quote(number)}/restore`, { keyed: true, ...options });
  }

  /** Renders a text as it would be sent to a contact now. */
  renderTemplate(body: Body<'render_template'>, options?: Options): Promise<Answer<'render_template'>> {
    return this.http.send('POST', '/api/v1/templates/render', { body, ...options });
  }
}

class Jobs {
  constructor(private readonly http: Http) {}

  /** Lists jobs that were put aside. */
  list(query?: Query<'list_jobs'>, options?: Options): Promise<Answer<'list_jobs'>> {
    return this.http.send('GET', '/api/v1/jobs', { query, ...options });
  }

  /** As `list`, one after the other over all pages. */
  each(query?: Query<'list_jobs'>, options?: Options): AsyncGenerator<Item<'list_jobs'>> {
    return this.http.each('/api/v1/jobs', { query, ...options });
  }

  /** Shows a job that is not done yet. */
  get(id: string | number, options?: Options): Promise<Answer<'get_job'>> {
    return this.http.send('GET', `/api/v1/jobs/${quote(id)}`, { ...options });
  }

  /** Lets a job go that was put aside: it is never done. */
  delete(id: string | number, options?: Options): Promise<Answer<'delete_job'>> {
    return this.http.send('DELETE', `/api/v1/jobs/${quote(id)}`, { ...options });
  }

  /** Has a job done again that was put aside. */
  retry(id: string | number, options?: Options): Promise<Answer<'retry_job'>> {
    return this.http.send('POST', `/api/v1/jobs/${quote(id)}/retry`, { keyed: true, ...options });
  }
}

class Sandbox {
  constructor(private readonly http: Http) {}

  /** Shows the clock of the sandbox; that of a live workspace goes by the present. */
  getClock(options?: Options): Promise<Answer<'get_sandbox_clock'>> {
    return this.http.send('GET', '/api/v1/sandbox/clock', { ...options });
  }

  /** Moves the clock of the sandbox on. */
  moveClock(body: Body<'move_sandbox_clock'>, options?: Options): Promise<Answer<'move_sandbox_clock'>> {
    return this.http.send('POST', '/api/v1/sandbox/clock', { body, keyed: true, ...options });
  }

  /** Plays a contact's message to the sandbox. */
  playInbound(body: Body<'play_sandbox_inbound'>, options?: Options): Promise<Answer<'play_sandbox_inbound'>> {
    return this.http.send('POST', '/api/v1/sandbox/inbound', { body, keyed: true, ...options });
  }

  /** Empties the sandbox. */
  reset(options?: Options): Promise<Answer<'reset_sandbox'>> {
    return this.http.send('POST', '/api/v1/sandbox/reset', { keyed: true, ...options });
  }
}

class SavedReplies {
  constructor(private readonly http: Http) {}

  /** Lists saved replies. */
  list(query?: Query<'list_saved_replies'>, options?: Options): Promise<Answer<'list_saved_replies'>> {
    return this.http.send('GET', '/api/v1/saved-replies', { query, ...options });
  }

  /** As `list`, one after the other over all pages. */
  each(query?: Query<'list_saved_replies'>, options?: Options): AsyncGenerator<Item<'list_saved_replies'>> {
    return this.http.each('/api/v1/saved-replies', { query, ...options });
  }

  /** Creates a saved reply. */
  create(body: Body<'create_saved_reply'>, options?: Options): Promise<Answer<'create_saved_reply'>> {
    return this.http.send('POST', '/api/v1/saved-replies', { body, keyed: true, ...options });
  }

  /** Shows a saved reply. */
  get(id: string | number, options?: Options): Promise<Answer<'get_saved_reply'>> {
    return this.http.send('GET', `/api/v1/saved-replies/${quote(id)}`, { ...options });
  }

  /** Updates a saved reply. */
  update(id: string | number, body: Body<'update_saved_reply'>, options?: Options): Promise<Answer<'update_saved_reply'>> {
    return this.http.send('PUT', `/api/v1/saved-replies/${quote(id)}`, { body, ...options });
  }

  /** Updates a saved reply. */
  patch(id: string | number, body: Body<'patch_saved_reply'>, options?: Options): Promise<Answer<'patch_saved_reply'>> {
    return this.http.send('PATCH', `/api/v1/saved-replies/${quote(id)}`, { body, ...options });
  }

  /** Deletes a saved reply. */
  delete(id: string | number, options?: Options): Promise<Answer<'delete_saved_reply'>> {
    return this.http.send('DELETE', `/api/v1/saved-replies/${quote(id)}`, { ...options });
  }
}

class Secrets {
  constructor(private readonly http: Http) {}

  /** Lists secrets, without their values. */
  list(query?: Query<'list_secrets'>, options?: Options): Promise<Answer<'list_secrets'>> {
    return this.http.send('GET', '/api/v1/secrets', { query, ...options });
  }

  /** As `list`, one after the other over all pages. */
  each(query?: Query<'list_secrets'>, options?: Options): AsyncGenerator<Item<'list_secrets'>> {
    return this.http.each('/api/v1/secrets', { query, ...options });
  }

  /** Shows a secret, without its value. */
  get(name: string | number, options?: Options): Promise<Answer<'get_secret'>> {
    return this.http.send('GET', `/api/v1/secrets/${quote(name)}`, { ...options });
  }

  /** Makes a secret, or replaces its value and its hosts. */
  put(name: string | number, body: Body<'put_secret'>, options?: Options): Promise<Answer<'put_secret'>> {
    return this.http.send('PUT', `/api/v1/secrets/${quote(name)}`, { body, ...options });
  }

  /** Deletes a secret. */
  delete(name: string | number, query?: Query<'delete_secret'>, options?: Options): Promise<Answer<'delete_secret'>> {
    return this.http.send('DELETE', `/api/v1/secrets/${quote(name)}`, { query, ...options });
  }
}

class Segments {
  constructor(private readonly http: Http) {}

  /** Lists segments. */
  list(query?: Query<'list_segments'>, options?: Options): Promise<Answer<'list_segments'>> {
    return this.http.send('GET', '/api/v1/segments', { query, ...options });
  }

  /** As `list`, one after the other over all pages. */
  each(query?: Query<'list_segments'>, options?: Options): AsyncGenerator<Item<'list_segments'>> {
    return this.http.each('/api/v1/segments', { query, ...options });
  }

  /** Creates a segment. */
  create(body: Body<'create_segment'>, options?: Options): Promise<Answer<'create_segment'>> {
    return this.http.send('POST', '/api/v1/segments', { body, keyed: true, ...options });
  }

  /** Shows a segment, with the number of contacts that it chooses now. */
  get(id: string | number, options?: Options): Promise<Answer<'get_segment'>> {
    return this.http.send('GET', `/api/v1/segments/${quote(id)}`, { ...options });
  }

  /** Updates a segment. */
  update(id: string | number, body: Body<'update_segment'>, options?: Options): Promise<Answer<'update_segment'>> {
    return this.http.send('PUT', `/api/v1/segments/${quote(id)}`, { body, ...options });
  }

  /** Updates a segment. */
  patch(id: string | number, body: Body<'patch_segment'>, options?: Options): Promise<Answer<'patch_segment'>> {
    return this.http.send('PATCH', `/api/v1/segments/${quote(id)}`, { body, ...options });
  }

  /** Deletes a segment. */
  delete(id: string | number, query?: Query<'delete_segment'>, options?: Options): Promise<Answer<'delete_segment'>> {
    return this.http.send('DELETE', `/api/v1/segments/${quote(id)}`, { query, ...options });
  }
}

class Sequences {
  constructor(private readonly http: Http) {}

  /** Lists the enrollments of a contact. */
  listContact(id: string | number, query?: Query<'list_contact_sequences'>, options?: Options): Promise<Answer<'list_contact_sequences'>> {
    return this.http.send('GET', `/api/v1/contacts/${quote(id)}/sequences`, { query, ...options });
  }

  /** As `listContact`, one after the other over all pages. */
  eachContact(id: string | number, query?: Query<'list_contact_sequences'>, options?: Options): AsyncGenerator<Item<'list_contact_sequences'>> {
    return this.http.each(`/api/v1/contacts/${quote(id)}/sequences`, { query, ...options });
  }

  /** Shows the newest enrollment of a contact in a sequence. */
  getEnrollment(id: string | number, sequenceId: string | number, options?: Options): Promise<Answer<'get_enrollment'>> {
    return this.http.send('GET', `/api/v1/contacts/${quote(id)}/sequences/${quote(sequenceId)}`, { ...options });
  }

  /** Enrolls a contact in a sequence. */
  enrollContact(id: string | number, sequenceId: string | number, options?: Options): Promise<Answer<'enroll_contact'>> {
    return this.http.send('POST', `/api/v1/contacts/${quote(id)}/sequences/${quote(sequenceId)}`, { keyed: true, ...options });
  }

  /** Takes a contact out of a sequence. */
  exitEnrollment(id: string | number, sequenceId: string | number, options?: Options): Promise<Answer<'exit_enrollment'>> {
    return this.http.send('DELETE', `/api/v1/contacts/${quote(id)}/sequences/${quote(sequenceId)}`, { ...options });
  }

  /** Pauses an enrollment. */
  pauseEnrollment(id: string | number, sequenceId: string | number, options?: Options): Promise<Answer<'pause_enrollment'>> {
    return this.http.send('POST', `/api/v1/contacts/${quote(id)}/sequences/${quote(sequenceId)}/pause`, { keyed: true, ...options });
  }

  /** Resumes a paused enrollment. */
  resumeEnrollment(id: string | number, sequenceId: string | number, options?: Options): Promise<Answer<'resume_enrollment'>> {
    return this.http.send('POST', `/api/v1/contacts/${quote(id)}/sequences/${quote(sequenceId)}/resume`, { keyed: true, ...options });
  }

  /** Lists sequences. */
  list(query?: Query<'list_sequences'>, options?: Options): Promise<Answer<'list_sequences'>> {
    return this.http.send('GET', '/api/v1/sequences', { query, ...options });
  }

  /** As `list`, one after the other over all pages. */
  each(query?: Query<'list_sequences'>, options?: Options): AsyncGenerator<Item<'list_sequences'>> {
    return this.http.each('/api/v1/sequences', { query, ...options });
  }

  /** Creates a sequence. */
  create(body: Body<'create_sequence'>, options?: Options): Promise<Answer<'create_sequence'>> {
    return this.http.send('POST', '/api/v1/sequences', { body, keyed: true, ...options });
  }

  /** Shows a sequence. */
  get(id: string | number, options?: Options): Promise<Answer<'get_sequence'>> {
    return this.http.send('GET', `/api/v1/sequences/${quote(id)}`, { ...options });
  }

  /** Updates a sequence. */
  update(id: string | number, body: Body<'update_sequence'>, options?: Options): Promise<Answer<'update_sequence'>> {
    return this.http.send('PUT', `/api/v1/sequences/${quote(id)}`, { body, ...options });
  }

  /** Updates a sequence. */
  patch(id: string | number, body: Body<'patch_sequence'>, options?: Options): Promise<Answer<'patch_sequence'>> {
    return this.http.send('PATCH', `/api/v1/sequences/${quote(id)}`, { body, ...options });
  }

  /** Deletes a sequence. */
  delete(id: string | number, query?: Query<'delete_sequence'>, options?: Options): Promise<Answer<'delete_sequence'>> {
    return this.http.send('DELETE', `/api/v1/sequences/${quote(id)}`, { query, ...options });
  }

  /** Lists the enrollments of a sequence. */
  listEnrollments(id: string | number, query?: Query<'list_enrollments'>, options?: Options): Promise<Answer<'list_enrollments'>> {
    return this.http.send('GET', `/api/v1/sequences/${quote(id)}/enrollments`, { query, ...options });
  }

  /** As `listEnrollments`, one after the other over all pages. */
  eachEnrollments(id: string | number, query?: Query<'list_enrollments'>, options?: Options): AsyncGenerator<Item<'list_enrollments'>> {
    return this.http.each(`/api/v1/sequences/${quote(id)}/enrollments`, { query, ...options });
  }

  /** Plays a sequence in virtual time: the contact is enrolled at once. */
  simulate(id: string | number, body?: Body<'simulate_sequence'>, options?: Options): Promise<Answer<'simulate_sequence'>> {
    return this.http.send('POST', `/api/v1/sequences/${quote(id)}/simulate`, { body, ...options });
  }
}

class Tags {
  constructor(private readonly http: Http) {}

  /** Lists tags. */
  list(query?: Query<'list_tags'>, options?: Options): Promise<Answer<'list_tags'>> {
    return this.http.send('GET', '/api/v1/tags', { query, ...options });
  }

  /** As `list`, one after the other over all pages. */
  each(query?: Query<'list_tags'>, options?: Options): AsyncGenerator<Item<'list_tags'>> {
    return this.http.each('/api/v1/tags', { query, ...options });
  }

  /** Creates a tag. */
  create(body: Body<'create_tag'>, options?: Options): Promise<Answer<'create_tag'>> {
    return this.http.send('POST', '/api/v1/tags', { body, keyed: true, ...options });
  }

  /** Shows a tag. */
  get(id: string | number, options?: Options): Promise<Answer<'get_tag'>> {
    return this.http.send('GET', `/api/v1/tags/${quote(id)}`, { ...options });
  }

  /** Updates a tag. */
  update(id: string | number, body: Body<'update_tag'>, options?: Options): Promise<Answer<'update_tag'>> {
    return this.http.send('PUT', `/api/v1/tags/${quote(id)}`, { body, ...options });
  }

  /** Updates a tag. */
  patch(id: string | number, body: Body<'patch_tag'>, options?: Options): Promise<Answer<'patch_tag'>> {
    return this.http.send('PATCH', `/api/v1/tags/${quote(id)}`, { body, ...options });
  }

  /** Deletes a tag. */
  delete(id: string | number, query?: Query<'delete_tag'>, options?: Options): Promise<Answer<'delete_tag'>> {
    return this.http.send('DELETE', `/api/v1/tags/${quote(id)}`, { query, ...options });
  }
}

class Webhooks {
  constructor(private readonly http: Http) {}

  /** Lists all kinds of events, on one page. */
  listEventTypes(options?: Options): Promise<Answer<'list_event_types'>> {
    return this.http.send('GET', '/api/v1/event-types', { ...options });
  }

  /** Lists what happened since a position. */
  listEvents(query?: Query<'list_events'>, options?: Options): Promise<Answer<'list_events'>> {
    return this.http.send('GET', '/api/v1/events', { query, ...options });
  }

  /** Lists webhooks. */
  list(query?: Query<'list_webhooks'>, options?: Options): Promise<Answer<'list_webhooks'>> {
    return this.http.send('GET', '/api/v1/webhooks', { query, ...options });
  }

  /** As `list`, one after the other over all pages. */
  each(query?: Query<'list_webhooks'>, options?: Options): AsyncGenerator<Item<'list_webhooks'>> {
    return this.http.each('/api/v1/webhooks', { query, ...options });
  }

  /** Creates a webhook. */
  create(body: Body<'create_webhook'>, options?: Options): Promise<Answer<'create_webhook'>> {
    return this.http.send('POST', '/api/v1/webhooks', { body, keyed: true, ...options });
  }

  /** Shows a webhook. */
  get(id: string | number, options?: Options): Promise<Answer<'get_webhook'>> {
    return this.http.send('GET', `/api/v1/webhooks/${quote(id)}`, { ...options });
  }

  /** Updates a webhook. */
  update(id: string | number, body: Body<'update_webhook'>, options?: Options): Promise<Answer<'update_webhook'>> {
    return this.http.send('PUT', `/api/v1/webhooks/${quote(id)}`, { body, ...options });
  }

  /** Updates a webhook. */
  patch(id: string | number, body: Body<'patch_webhook'>, options?: Options): Promise<Answer<'patch_webhook'>> {
    return this.http.send('PATCH', `/api/v1/webhooks/${quote(id)}`, { body, ...options });
  }

  /** Deletes a webhook. */
  delete(id: string | number, options?: Options): Promise<Answer<'delete_webhook'>> {
    return this.http.send('DELETE', `/api/v1/webhooks/${quote(id)}`, { ...options });
  }

  /** Lists the deliveries to a webhook that pass all filters. */
  listDeliveries(id: string | number, query?: Query<'list_deliveries'>, options?: Options): Promise<Answer<'list_deliveries'>> {
    return this.http.send('GET', `/api/v1/webhooks/${quote(id)}/deliveries`, { query, ...options });
  }

  /** As `listDeliveries`, one after the other over all pages. */
  eachDeliveries(id: string | number, query?: Query<'list_deliveries'>, options?: Options): AsyncGenerator<Item<'list_deliveries'>> {
    return this.http.each(`/api/v1/webhooks/${quote(id)}/deliveries`, { query, ...options });
  }

  /** Shows a delivery with every attempt. */
  getDelivery(id: string | number, deliveryId: string | number, options?: Options): Promise<Answer<'get_delivery'>> {
    return this.http.send('GET', `/api/v1/webhooks/${quote(id)}/deliveries/${quote(deliveryId)}`, { ...options });
  }

  /** Sends a delivery again. */
  replayDelivery(id: string | number, deliveryId: string | number, options?: Options): Promise<Answer<'replay_delivery'>> {
    return this.http.send('POST', `/api/v1/webhooks/${quote(id)}/deliveries/${quote(deliveryId)}/replay`, { keyed: true, ...options });
  }

  /** Starts a paused or disabled webhook again. */
  enable(id: string | number, options?: Options): Promise<Answer<'enable_webhook'>> {
    return this.http.send('POST', `/api/v1/webhooks/${quote(id)}/enable`, { keyed: true, ...options });
  }

  /** Stops a webhook. */
  pause(id: string | number, options?: Options): Promise<Answer<'pause_webhook'>> {
    return this.http.send('POST', `/api/v1/webhooks/${quote(id)}/pause`, { keyed: true, ...options });
  }

  /** Sends the deliveries of a time again. */
  replayDeliveries(id: string | number, body: Body<'replay_deliveries'>, options?: Options): Promise<Answer<'replay_deliveries'>> {
    return this.http.send('POST', `/api/v1/webhooks/${quote(id)}/replay`, { body, keyed: true, ...options });
  }

  /** Gives a webhook a new secret. */
  rotateSecret(id: string | number, body?: Body<'rotate_webhook_secret'>, options?: Options): Promise<Answer<'rotate_webhook_secret'>> {
    return this.http.send('POST', `/api/v1/webhooks/${quote(id)}/rotate-secret`, { body, keyed: true, ...options });
  }

  /** Tries a webhook out. */
  test(id: string | number, body?: Body<'test_webhook'>, options?: Options): Promise<Answer<'test_webhook'>> {
    return this.http.send('POST', `/api/v1/webhooks/${quote(id)}/test`, { body, keyed: true, ...options });
  }
}

/** All operations, by subject. */
export class Operations {
  readonly access: Access;
  readonly analytics: Analytics;
  readonly botFields: BotFields;
  readonly broadcasts: Broadcasts;
  readonly channels: Channels;
  readonly contacts: Contacts;
  readonly conversations: Conversations;
  readonly customFields: CustomFields;
  readonly flows: Flows;
  readonly jobs: Jobs;
  readonly sandbox: Sandbox;
  readonly savedReplies: SavedReplies;
  readonly secrets: Secrets;
  readonly segments: Segments;
  readonly sequences: Sequences;
  readonly tags: Tags;
  readonly webhooks: Webhooks;

  constructor(http: Http) {
    this.access = new Access(http);
    this.analytics = new Analytics(http);
    this.botFields = new BotFields(http);
    this.broadcasts = new Broadcasts(http);
    this.channels = new Channels(http);
    this.contacts = new Contacts(http);
    this.conversations = new Conversations(http);
    this.customFields = new CustomFields(http);
    this.flows = new Flows(http);
    this.jobs = new Jobs(http);
    this.sandbox = new Sandbox(http);
    this.savedReplies = new SavedReplies(http);
    this.secrets = new Secrets(http);
    this.segments = new Segments(http);
    this.sequences = new Sequences(http);
    this.tags = new Tags(http);
    this.webhooks = new Webhooks(http);
  }
}
