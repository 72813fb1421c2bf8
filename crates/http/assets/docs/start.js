// How Scalar shows /openapi.json, here and in the panel. Nothing is loaded from, or sent to, anywhere but this server.
window.tidingsReference = {
  url: "/openapi.json",
  theme: "none",
  layout: "modern",
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  documentDownloadType: "direct",
  persistAuth: false,
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  authentication: { preferredSecurityScheme: "api_key" },
  operationTitleSource: "summary",
  orderSchemaPropertiesBy: "preserve",
  // Fixed colours: each text has a contrast of at least 4.5 to its background (WCAG 2.2 AA).
  customCss: `
    .light-mode {
      --scalar-color-1: #17181c;
      --scalar-color-2: #3d4148;
      --scalar-color-3: #565b64;
      --scalar-color-accent: #0b57c2;
      --scalar-color-ghost: #565b64;
      --scalar-color-disabled: #565b64;
      --scalar-background-1: #ffffff;
      --scalar-background-2: #f5f6f8;
      --scalar-background-3: #eceef1;
      --scalar-background-accent: #e8f0fc;
      --scalar-border-color: #d5d8de;
      --scalar-color-green: #0a6b3d;
      --scalar-color-red: #b3211d;
      --scalar-color-yellow: #7a5200;
      --scalar-color-blue: #0b57c2;
      --scalar-color-orange: #9a4a00;
      --scalar-color-purple: #6a36b8;
      --scalar-button-1: #17181c;
      --scalar-button-1-color: #ffffff;
      --scalar-button-1-hover: #33363d;
    }
    .dark-mode {
      --scalar-color-1: #f2f3f5;
      --scalar-color-2: #c6cad1;
      --scalar-color-3: #a5abb5;
      --scalar-color-accent: #8ab8ff;
      --scalar-color-ghost: #a5abb5;
      --scalar-color-disabled: #a5abb5;
      --scalar-background-1: #14161a;
      --scalar-background-2: #1b1e23;
      --scalar-background-3: #24282f;
      --scalar-background-accent: #16263f;
      --scalar-border-color: #363b44;
      --scalar-color-green: #58d39a;
      --scalar-color-red: #ff8a85;
      --scalar-color-yellow: #f0c04e;
      --scalar-color-blue: #8ab8ff;
      --scalar-color-orange: #ffad66;
      --scalar-color-purple: #c8a4ff;
      --scalar-button-1: #f2f3f5;
      --scalar-button-1-color: #14161a;
      --scalar-button-1-hover: #d5d8de;
    }
    :root {
      --scalar-font: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
      --scalar-font-code: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
    }
  `,
};

// The page of the panel has no such element: it shows the reference in a place of its own.
if (document.querySelector("#reference")) {
  Scalar.createApiReference("#reference", window.tidingsReference);
}
