/for \(/ { sub(/<=/, "<") }
{ print }
