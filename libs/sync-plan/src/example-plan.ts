/** The plan of the documentation, for tests of this library. */
export const examplePlan = `apiVersion: counterpart/v1
tenant: acme
records:
  contact:
    match: [email]
    fields:
      email: { type: email, owner: last-change }
      firstName: { type: text, max: 100, owner: app }
      phone: { type: phone, country: US, owner: crm }
  company:
    match: [domain]
    fields:
      domain: { type: domain, owner: app }
      name: { type: text, owner: review }
  meeting:
    fields:
      title: { type: text, owner: app }
sources:
  app:
    provider: app
    signing: { secrets: ["file:acme/app"] }
    records: { contact: {}, company: {}, meeting: {} }
  crm:
    provider: hubspot
    baseUrl: https://api.hubapi.com
    credentials: { accessToken: "file:acme/crm-token" }
    settings: { portalId: "123", appId: "456" }
    webhook: { endpoint: acme-crm, secrets: ["env:SECRET_CRM"] }
    records:
      contact: { object: contacts, fields: { email: email, firstName: firstname, phone: phone } }
      company: { object: companies, fields: { domain: domain, name: name } }
`;
