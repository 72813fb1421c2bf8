//! The usual headings of contact tables in English, German, French, Spanish and Portuguese, folded.
//!
//! Sources: the exports of HubSpot, Intercom, Mailchimp, ManyChat, Chatwoot, Brevo, Shopify, Salesforce and Google
//! Contacts, and the words that users of spreadsheets write. An export may have a column beside consent, such as a
//! time (`OPTIN_TIME`) or a reason (`UNSUB_REASON`), the column is not in this table and is reported as unknown.

use super::{Language, Target};

/// The meaning of a heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The column is an attribute.
    Is(Attribute),
    /// The column may be an attribute: another meaning is usual as well.
    MayBe(Attribute),
    /// "Name": a full name, or the last name if the table has first names and no other last names.
    Name,
    /// "Nom": the last name if the table has first names, otherwise a full name.
    LastOrFull,
    /// "Nombre", "Nome": the first name if the table has last names, otherwise a full name.
    FirstOrFull,
    /// Consent to messages.
    Consent,
    /// A refusal of messages.
    Refusal,
}

/// An attribute, as the table names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Attribute {
    ExternalId,
    Email,
    Phone,
    FirstName,
    LastName,
    FullName,
    Locale,
    TimeZone,
    AvatarUrl,
    Tags,
    Status,
}

impl Attribute {
    pub(super) fn target(self) -> Target {
        match self {
            Self::ExternalId => Target::ExternalId,
            Self::Email => Target::Email,
            Self::Phone => Target::Phone,
            Self::FirstName => Target::FirstName,
            Self::LastName => Target::LastName,
            Self::FullName => Target::FullName,
            Self::Locale => Target::Locale,
            Self::TimeZone => Target::TimeZone,
            Self::AvatarUrl => Target::AvatarUrl,
            Self::Tags => Target::Tags,
            Self::Status => Target::Status,
        }
    }
}

use Attribute as A;
use Language::{English as En, French as Fr, German as De, Portuguese as Pt, Spanish as Es};
use Meaning::{Consent, FirstOrFull, Is, LastOrFull, MayBe, Name, Refusal};

/// Headings by meaning and language.
#[rustfmt::skip]
pub(super) static HEADINGS: &[(Meaning, Language, &[&str])] = &[
    // IDs. HubSpot: Record ID. Intercom: User ID. ManyChat: Contact ID. Chatwoot: identifier.
    (Is(A::ExternalId), En, &[
        "externalid", "externaluserid", "externalcontactid", "customerid", "customernumber", "customerno", "clientid",
        "clientnumber", "userid", "contactid", "memberid", "membernumber", "personid", "subscriberid", "identifier",
        "recordid", "crmid",
    ]),
    (Is(A::ExternalId), De, &[
        "externeid", "kundennummer", "kundennr", "kundenid", "kontaktid", "kontaktnummer", "benutzerid", "nutzerid",
        "mitgliedsnummer", "mitgliedsnr", "datensatzid", "personennummer",
    ]),
    (Is(A::ExternalId), Fr, &[
        "idexterne", "identifiant", "identifiantexterne", "identifiantclient", "idclient", "numeroclient",
        "numerodeclient", "noclient", "nclient", "codeclient", "idutilisateur", "idcontact", "iddecontact",
        "iddefichedinformations", "iddelenregistrement",
    ]),
    (Is(A::ExternalId), Es, &[
        "idexterno", "identificador", "idcliente", "iddecliente", "iddelcliente", "numerocliente", "numerodecliente",
        "nocliente", "codigocliente", "codigodecliente", "idusuario", "iddeusuario", "idcontacto", "iddecontacto",
        "iddelcontacto", "idderegistro",
    ]),
    (Is(A::ExternalId), Pt, &[
        "idexterno", "identificador", "idcliente", "iddocliente", "numerodocliente", "numerodecliente",
        "codigocliente", "codigodocliente", "idusuario", "iddousuario", "idcontato", "iddocontato", "idcontacto",
        "iddocontacto", "iddoregistro", "iddoregisto",
    ]),
    (MayBe(A::ExternalId), En, &["id", "no", "number", "uid", "uuid", "leadid", "euid"]),

    // Email. Mailchimp: Email Address. Google Contacts: E-mail 1 - Value.
    (Is(A::Email), En, &[
        "email", "emails", "emailaddress", "mail", "mailaddress", "primaryemail", "primaryemailaddress",
        "contactemail", "useremail", "customeremail", "email1", "email1value", "emailaddress1", "workemail",
        "businessemail", "personalemail", "privateemail", "homeemail",
    ]),
    (Is(A::Email), De, &[
        "emailadresse", "mailadresse", "emailadressen", "emailkontakt", "kontaktemail", "emailgeschaftlich",
        "emailprivat", "geschaftlicheemail", "privateemailadresse", "emailarbeit",
    ]),
    (Is(A::Email), Fr, &[
        "adresseemail", "adressemail", "adresseemailprincipale", "courriel", "adressecourriel", "adresseelectronique",
        "adressedecourriel", "adressedemessagerie", "emailprofessionnel", "emailpersonnel", "adresseemaildelabonne",
    ]),
    (Is(A::Email), Es, &[
        "correo", "correoelectronico", "correos", "direcciondecorreo", "direcciondecorreoelectronico",
        "direcciondeemail", "direccionemail", "emaildecontacto", "correodetrabajo", "correopersonal",
    ]),
    (Is(A::Email), Pt, &[
        "correioeletronico", "correioelectronico", "enderecodeemail", "enderecoemail", "enderecodecorreioeletronico",
        "emaildecontato", "emailprincipal", "emaildetrabalho", "emailpessoal",
    ]),

    // Phone. HubSpot: Mobile Phone Number, WhatsApp Phone Number. Mailchimp: SMS Phone Number. Google Contacts: Phone
    // 1 - Value.
    (Is(A::Phone), En, &[
        "phone", "phones", "phonenumber", "phoneno", "telephone", "telephonenumber", "tel", "mobile", "mobilenumber",
        "mobileno", "mobilephone", "mobilephonenumber", "cell", "cellnumber", "cellphone", "cellphonenumber", "phone1",
        "phone1value", "primaryphone", "contactnumber", "contactphone", "workphone", "businessphone", "homephone",
        "personalphone", "sms", "smsphone", "smsnumber", "smsphonenumber", "whatsapp", "whatsappnumber",
        "whatsappphone", "whatsappphonenumber",
    ]),
    (Is(A::Phone), De, &[
        "telefon", "telefonnummer", "telefonnr", "telnr", "rufnummer", "handy", "handynummer", "handynr", "mobil",
        "mobilnummer", "mobilnr", "mobiltelefon", "mobiltelefonnummer", "mobilfunk", "mobilfunknummer", "telefonmobil",
        "telefonprivat", "telefongeschaftlich", "festnetz", "festnetznummer", "whatsappnummer",
        "whatsapptelefonnummer",
    ]),
    (Is(A::Phone), Fr, &[
        "telephone", "numerodetelephone", "numerotelephone", "notelephone", "ntelephone", "nodetelephone",
        "ndetelephone", "portable", "mobile", "telephoneportable", "telephonemobile", "numerodeportable",
        "numerodemobile", "numerodetelephonemobile", "numerodetelephoneportable", "telmobile", "telportable",
        "telephonefixe", "numerowhatsapp", "numerodetelephonewhatsapp",
    ]),
    (Is(A::Phone), Es, &[
        "telefono", "telefonos", "numerodetelefono", "numerotelefono", "notelefono", "tfno", "telefonomovil", "movil",
        "numerodemovil", "numerodetelefonomovil", "celular", "telefonocelular", "numerodecelular", "telefonofijo",
        "numerodewhatsapp", "numerodetelefonodewhatsapp",
    ]),
    (Is(A::Phone), Pt, &[
        "telefone", "telefones", "numerodetelefone", "numerodotelefone", "notelefone", "telemovel",
        "numerodetelemovel", "numerodotelemovel", "telefonemovel", "celular", "telefonecelular", "numerodecelular",
        "numerodocelular", "numerodetelefonecelular", "numerodetelefonemovel", "telefonefixo", "numerodowhatsapp",
        "numerodewhatsapp",
    ]),

    // Names. Mailchimp's merge fields: FNAME, LNAME.
    (Is(A::FirstName), En, &["firstname", "givenname", "forename", "fname", "first", "firstnames"]),
    (Is(A::FirstName), De, &["vorname", "vornamen", "rufname"]),
    (Is(A::FirstName), Fr, &["prenom", "prenoms"]),
    (Is(A::FirstName), Es, &["primernombre", "nombredepila", "nombres"]),
    (Is(A::FirstName), Pt, &["primeironome", "nomeproprio", "prenome"]),
    (Is(A::LastName), En, &["lastname", "familyname", "surname", "lname", "last"]),
    (Is(A::LastName), De, &["nachname", "familienname", "zuname"]),
    (Is(A::LastName), Fr, &["nomdefamille"]),
    (Is(A::LastName), Es, &["apellido", "apellidos", "primerapellido"]),
    (Is(A::LastName), Pt, &["sobrenome", "ultimonome", "nomedefamilia", "apelidos"]),
    // The last name in Portugal, a nickname in Brazil.
    (MayBe(A::LastName), Pt, &["apelido"]),
    (Is(A::FullName), En, &[
        "fullname", "contactname", "customername", "displayname", "personname", "firstnamelastname",
        "lastnamefirstname", "surnamefirstname",
    ]),
    (Is(A::FullName), De, &[
        "vollstandigername", "vollername", "vorundnachname", "vornamenachname", "vornameundnachname", "namevorname",
        "nachnamevorname", "nachnameundvorname", "kontaktname", "kundenname",
    ]),
    (Is(A::FullName), Fr, &[
        "nomcomplet", "nometprenom", "nomprenom", "prenometnom", "prenomnom", "nomducontact", "nomduclient",
    ]),
    (Is(A::FullName), Es, &[
        "nombrecompleto", "nombreyapellido", "nombreyapellidos", "apellidosynombre", "apellidosnombre",
        "nombredelcontacto", "nombredelcliente",
    ]),
    (Is(A::FullName), Pt, &["nomecompleto", "nomeesobrenome", "nomedocontato", "nomedocontacto", "nomedocliente"]),
    (Name, En, &["name"]),
    (Name, De, &["name"]),
    (LastOrFull, Fr, &["nom", "noms"]),
    (FirstOrFull, Es, &["nombre"]),
    (FirstOrFull, Pt, &["nome"]),

    // Language. Intercom: Language override, Browser language. HubSpot: Preferred language.
    (Is(A::Locale), En, &[
        "locale", "language", "lang", "languagecode", "preferredlanguage", "languageoverride", "browserlanguage",
        "userlanguage", "contactlanguage",
    ]),
    (Is(A::Locale), De, &["sprache", "bevorzugtesprache", "sprachcode", "spracheinstellung", "browsersprache"]),
    (Is(A::Locale), Fr, &["langue", "languepreferee", "codelangue", "languedunavigateur"]),
    (Is(A::Locale), Es, &["idioma", "idiomapreferido", "lengua", "codigodeidioma", "idiomadelnavegador"]),
    (Is(A::Locale), Pt, &[
        "idioma", "idiomapreferido", "idiomadepreferencia", "lingua", "linguapreferida", "idiomadonavegador",
    ]),

    (Is(A::TimeZone), En, &["timezone", "tz", "usertimezone"]),
    (Is(A::TimeZone), De, &["zeitzone"]),
    (Is(A::TimeZone), Fr, &["fuseauhoraire"]),
    (Is(A::TimeZone), Es, &["zonahoraria", "husohorario"]),
    (Is(A::TimeZone), Pt, &["fusohorario"]),

    (Is(A::AvatarUrl), En, &[
        "avatarurl", "avatar", "picture", "pictureurl", "photo", "photourl", "profilepicture", "profilepictureurl",
        "profilephoto", "profilepic", "profilepicurl", "imageurl",
    ]),
    (Is(A::AvatarUrl), De, &["profilbild", "profilfoto", "bild", "foto", "avatarbild"]),
    (Is(A::AvatarUrl), Fr, &["photo", "photodeprofil", "imagedeprofil"]),
    (Is(A::AvatarUrl), Es, &["foto", "fotodeperfil", "imagendeperfil"]),
    (Is(A::AvatarUrl), Pt, &["foto", "fotodeperfil", "fotodoperfil", "imagemdoperfil"]),

    // Tags. Mailchimp: TAGS. Google Contacts: Labels, earlier Group Membership. Chatwoot: Labels.
    (Is(A::Tags), En, &["tags", "tag", "labels", "label", "groupmembership", "contacttags", "contactlabels"]),
    (Is(A::Tags), De, &[
        "schlagworte", "schlagworter", "schlagwort", "stichworte", "stichworter", "etiketten", "markierungen",
    ]),
    (Is(A::Tags), Fr, &["etiquettes", "etiquette", "libelles", "libelle", "motscles"]),
    (Is(A::Tags), Es, &["etiquetas", "etiqueta"]),
    (Is(A::Tags), Pt, &["etiquetas", "etiqueta", "marcadores", "marcador"]),

    (MayBe(A::Status), En, &["status", "contactstatus"]),

    // Consent. Shopify: Accepts Email Marketing. ManyChat: Opted-in for Email.
    (Consent, En, &[
        "subscribed", "issubscribed", "subscribe", "subscription", "subscriptionstatus", "emailsubscriptionstatus",
        "optin", "optedin", "emailoptin", "smsoptin", "whatsappoptin", "marketingoptin", "newsletteroptin", "consent",
        "emailconsent", "smsconsent", "marketingconsent", "emailmarketingconsent", "smsmarketingconsent",
        "gdprconsent", "acceptsmarketing", "acceptsemailmarketing", "acceptssmsmarketing", "newsletter",
        "newslettersubscribed", "marketingpermission", "marketingpermissions", "emailpermission",
        "permissiontocontact", "receivesmarketing",
    ]),
    (Consent, De, &[
        "abonniert", "angemeldet", "newsletterabonniert", "newsletterangemeldet", "newsletteranmeldung",
        "newsletterempfanger", "einwilligung", "einwilligungemail", "einwilligungwerbung", "einwilligungmarketing",
        "marketingeinwilligung", "werbeeinwilligung", "emaileinwilligung", "zustimmung", "einverstandnis",
        "dsgvoeinwilligung", "werbungerlaubt", "kontakterlaubt",
    ]),
    (Consent, Fr, &[
        "abonne", "estabonne", "inscrit", "inscritalanewsletter", "abonnealanewsletter", "inscriptionnewsletter",
        "consentement", "consentementmarketing", "consentementemail", "consentementrgpd", "acceptelemarketing",
        "acceptelesemails", "accordrgpd",
    ]),
    (Consent, Es, &[
        "suscrito", "suscripto", "suscriptor", "suscripcion", "suscritoalboletin", "boletin", "consentimiento",
        "consentimientodemarketing", "consentimientodecorreo", "consentimientorgpd", "aceptamarketing",
        "aceptapublicidad", "aceptacorreos",
    ]),
    (Consent, Pt, &[
        "inscrito", "inscritonanewsletter", "subscrito", "assinante", "assinou", "consentimento",
        "consentimentodemarketing", "consentimentolgpd", "aceitamarketing", "aceitaemails", "aceitareceberemails",
    ]),

    // Refusals. Intercom: Unsubscribed from emails. HubSpot: Unsubscribed from all email. Salesforce: Email Opt Out.
    (Refusal, En, &[
        "unsubscribed", "unsubscribe", "isunsubscribed", "unsubscribedfromemails", "unsubscribedfromallemail",
        "unsubscribedfromallemails", "globalunsubscribe", "portalunsubscribe", "optout", "optedout", "hasoptedout",
        "emailoptout", "smsoptout", "whatsappoptout", "marketingoptout", "hasoptedoutofemail", "donotcontact",
        "donotemail", "donotcall", "donotmail", "donotsms", "dnc", "suppressed", "blocklisted", "emailblocklisted",
        "smsblocklisted", "emailblacklisted", "smsblacklisted",
    ]),
    (Refusal, De, &[
        "abgemeldet", "abbestellt", "newsletterabgemeldet", "newsletterabbestellt", "vonemailsabgemeldet",
        "vonallenemailsabgemeldet", "abmeldung", "werbesperre", "werbeverbot", "werbewiderspruch", "widerspruch",
        "widersprochen", "keinewerbung", "nichtkontaktieren", "nichtanschreiben", "kontaktsperre",
    ]),
    (Refusal, Fr, &[
        "desabonne", "desabonnedesemails", "desabonnement", "desinscrit", "desinscription",
        "desinscriptiondetouslesemails", "desinscritdetouslesemails", "desabonnedetouslesemails", "nepascontacter",
        "refusmarketing", "oppositionmarketing",
    ]),
    (Refusal, Es, &[
        "desuscrito", "desuscripto", "dadodebaja", "baja", "bajadecorreos", "cancelolasuscripcion",
        "suscripcioncancelada", "cancelolasuscripciondetodosloscorreos", "nocontactar", "noenviarcorreos",
        "rechazamarketing", "excluido",
    ]),
    (Refusal, Pt, &[
        "descadastrado", "descadastro", "desinscrito", "descadastradodetodososemails", "cancelouainscricao",
        "cancelouaassinatura", "inscricaocancelada", "subscricaocancelada", "naocontatar", "naocontactar",
        "naoenviaremail", "naoperturbe", "recusamarketing",
    ]),
];

/// Headings of full names that begin with the last name.
pub(super) static LAST_NAME_FIRST: [&str; 9] = [
    "lastnamefirstname",
    "surnamefirstname",
    "namevorname",
    "nachnamevorname",
    "nachnameundvorname",
    "nomprenom",
    "nometprenom",
    "apellidosynombre",
    "apellidosnombre",
];

/// Headings that begin so and name a channel or a topic, such as "Opted out of email: Newsletter" of HubSpot,
/// "Opted-in for SMS" of ManyChat, and "Do not email".
pub(super) static PREFIXES: &[(Meaning, &str)] = &[
    (Refusal, "optedoutof"),
    (Refusal, "optedoutfrom"),
    (Refusal, "optoutof"),
    (Refusal, "unsubscribedfrom"),
    (Refusal, "vonemailabgemeldet"),
    (Refusal, "desabonnede"),
    (Refusal, "desinscritde"),
    (Consent, "optedinfor"),
    (Consent, "optedinto"),
    (Consent, "optinfor"),
    (Consent, "subscribedto"),
];

/// Endings of headings that begin as consent does and are something else: "Opted-in for Email Date".
pub(super) const NO_CONSENT: [&str; 5] = ["time", "date", "reason", "ip", "source"];
