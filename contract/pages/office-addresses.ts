/**
 * The first part of each address of the back office; empty: `/`. At another address the server answers 404, with the page
 * that says so.
 */
export const officeAddresses: ReadonlySet<string> = new Set([
  '',
  '403',
  '500',
  'MessageTemplate',
  'RD_Debug',
  'agent',
  'approvals',
  'audit',
  'cash',
  'chat',
  'customer_service',
  'customer_service_chat',
  'file',
  'forbidden',
  'index',
  'installation',
  'person',
  'report',
  'rights',
  'set-up',
  'setup',
  'shareQRCode',
  'transaction',
  'tree',
  'user',
])
